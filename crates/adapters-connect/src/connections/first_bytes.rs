//! A connection that has to send the beginning of a request in time.

use std::future::Future as _;
use std::io::{self, IoSlice};
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Sleep, sleep};
use tonic::transport::server::Connected;

use super::admission::Permit;

/// How every HTTP/2 connection begins. The host waits for as much, or for what differs from it, without a limit of time.
const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

/// A connection with its place, which it gives back at its end.
pub(crate) struct Connection<I> {
    inner: I,
    permit: Permit,
    /// Present until the host knows the version of HTTP.
    unheard: Option<Unheard>,
}

struct Unheard {
    over: Pin<Box<Sleep>>,
    of_preface: usize,
}

impl<I> Connection<I> {
    pub(crate) fn new(inner: I, permit: Permit, patience: Duration) -> Self {
        Self { inner, permit, unheard: Some(Unheard { over: Box::pin(sleep(patience)), of_preface: 0 }) }
    }

    fn hear(&mut self, bytes: &[u8]) {
        let Some(unheard) = &mut self.unheard else { return };
        let expected = PREFACE.get(unheard.of_preface..).unwrap_or_default();
        unheard.of_preface = unheard.of_preface.saturating_add(bytes.len());
        if unheard.of_preface >= PREFACE.len() || !expected.starts_with(bytes) {
            self.unheard = None;
            self.permit.heard();
        }
    }
}

impl<I: AsyncRead + Unpin> AsyncRead for Connection<I> {
    fn poll_read(self: Pin<&mut Self>, context: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        let before = buffer.filled().len();
        if Pin::new(&mut this.inner).poll_read(context, buffer)?.is_ready() {
            this.hear(buffer.filled().get(before..).unwrap_or_default());
            return Poll::Ready(Ok(()));
        }
        match &mut this.unheard {
            Some(unheard) => unheard.over.as_mut().poll(context).map(|()| Err(io::ErrorKind::TimedOut.into())),
            None => Poll::Pending,
        }
    }
}

impl<I: AsyncWrite + Unpin> AsyncWrite for Connection<I> {
    fn poll_write(self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.get_mut().inner).poll_write(context, bytes)
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().inner).poll_flush(context)
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().inner).poll_shutdown(context)
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.get_mut().inner).poll_write_vectored(context, slices)
    }

    fn is_write_vectored(&self) -> bool {
        self.inner.is_write_vectored()
    }
}

impl<I: Connected> Connected for Connection<I> {
    type ConnectInfo = I::ConnectInfo;

    fn connect_info(&self) -> I::ConnectInfo {
        self.inner.connect_info()
    }
}
