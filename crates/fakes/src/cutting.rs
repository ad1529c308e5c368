//! Connections that are reset on demand: after a number of bytes that are still written.

use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll};

use axum::extract::connect_info::Connected;
use axum::serve::{IncomingStream, Listener};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};

/// The bytes that a connection may still write.
#[derive(Debug, Clone)]
pub(crate) struct Cutter(Arc<AtomicUsize>);

impl Default for Cutter {
    fn default() -> Self {
        Self(Arc::new(AtomicUsize::new(usize::MAX)))
    }
}

impl Cutter {
    /// Resets the connection after these bytes.
    pub(crate) fn cut_after(&self, bytes: usize) {
        self.0.store(bytes, Ordering::SeqCst);
    }

    fn left(&self) -> usize {
        self.0.load(Ordering::SeqCst)
    }

    fn wrote(&self, bytes: usize) {
        if self.left() != usize::MAX {
            self.0.fetch_sub(bytes, Ordering::SeqCst);
        }
    }
}

/// A listener whose connections can be cut.
pub(crate) struct CuttingListener(pub(crate) TcpListener);

/// A connection that can be cut.
pub(crate) struct CuttableStream {
    stream: TcpStream,
    cutter: Cutter,
}

impl Listener for CuttingListener {
    type Io = CuttableStream;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Self::Io, Self::Addr) {
        let (stream, address) = Listener::accept(&mut self.0).await;
        (CuttableStream { stream, cutter: Cutter::default() }, address)
    }

    fn local_addr(&self) -> io::Result<Self::Addr> {
        self.0.local_addr()
    }
}

impl Connected<IncomingStream<'_, CuttingListener>> for Cutter {
    fn connect_info(stream: IncomingStream<'_, CuttingListener>) -> Self {
        stream.io().cutter.clone()
    }
}

impl AsyncRead for CuttableStream {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(cx, buf)
    }
}

impl AsyncWrite for CuttableStream {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let left = self.cutter.left();
        if left == 0 {
            return Poll::Ready(Err(io::ErrorKind::ConnectionReset.into()));
        }
        let part = bytes.get(..left.min(bytes.len())).unwrap_or(bytes);
        let wrote = Pin::new(&mut self.stream).poll_write(cx, part);
        if let Poll::Ready(Ok(bytes)) = wrote {
            self.cutter.wrote(bytes);
        }
        wrote
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}
