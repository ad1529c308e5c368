//! TLS in front of the host, for HTTP/1.1 and HTTP/2 alike.
//!
//! The host's own TLS offers HTTP/2 only, and clients that speak nothing but HTTP/1.1 would fail the handshake.

use std::io;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use futures::{Stream, StreamExt as _};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::crypto::aws_lc_rs;
use tokio_rustls::rustls::pki_types::pem::{self, PemObject as _};
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::rustls::{self, ServerConfig};
use tokio_rustls::server::TlsStream;

const HANDSHAKE_TIMEOUT: Duration = Duration::from_secs(10);

/// The certificate of an HTTPS server with its private key. Both can be replaced while it serves.
#[derive(Clone)]
pub struct Tls(Arc<RwLock<TlsAcceptor>>);

/// Why a certificate cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum TlsError {
    /// The text of the certificates is not PEM, or holds none.
    #[error("the certificate chain is not a PEM file with certificates")]
    Certificates(#[source] pem::Error),
    /// The text of the key is not PEM, or holds none.
    #[error("the private key is not a PEM file with a private key")]
    Key(#[source] pem::Error),
    /// The key does not belong to the certificate, or is of an unknown kind.
    #[error("the private key and the certificate do not fit together")]
    Mismatch(#[source] rustls::Error),
}

impl Tls {
    /// TLS 1.2 and 1.3 with a certificate chain, the server's own certificate first, and its private key (PKCS#8, PKCS#1
    /// or SEC1), both as PEM.
    ///
    /// # Errors
    /// [`TlsError`] says which of the two cannot be used.
    pub fn from_pem(certificate_chain: &[u8], private_key: &[u8]) -> Result<Self, TlsError> {
        let chain = CertificateDer::pem_slice_iter(certificate_chain).collect::<Result<Vec<_>, _>>();
        let chain = chain.map_err(TlsError::Certificates)?;
        if chain.is_empty() {
            return Err(TlsError::Certificates(pem::Error::NoItemsFound));
        }
        let key = PrivateKeyDer::from_pem_slice(private_key).map_err(TlsError::Key)?;
        let mut config = ServerConfig::builder_with_provider(Arc::new(aws_lc_rs::default_provider()))
            .with_safe_default_protocol_versions()
            .and_then(|config| config.with_no_client_auth().with_single_cert(chain, key))
            .map_err(TlsError::Mismatch)?;
        config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
        Ok(Self(Arc::new(RwLock::new(TlsAcceptor::from(Arc::new(config))))))
    }

    /// The connections of `incoming` once they have shaken hands, `most` of them at once. Fewer than are admitted would let
    /// those that never finish hold up the others.
    pub(crate) fn accept<P: Send>(
        self,
        incoming: impl Stream<Item = io::Result<(TcpStream, P)>>,
        most: usize,
    ) -> impl Stream<Item = io::Result<(TlsStream<TcpStream>, P)>> {
        incoming
            .map(move |connection| {
                let acceptor = self.acceptor();
                async move {
                    let (tcp, place) = connection?;
                    Ok((timeout(HANDSHAKE_TIMEOUT, acceptor.accept(tcp)).await??, place))
                }
            })
            .buffer_unordered(most)
    }

    /// Takes another certificate and key for connections from now on, in every clone.
    pub fn replace(&self, by: &Self) {
        let acceptor = by.acceptor();
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = acceptor;
    }

    fn acceptor(&self) -> TlsAcceptor {
        self.0.read().unwrap_or_else(PoisonError::into_inner).clone()
    }
}
