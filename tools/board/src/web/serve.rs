//! Connections: bounded in number, and none may dawdle over the head of its request. Bodies are timed where they are
//! read, in `sent`.

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;

/// Connections at a time; more wait.
const CONNECTIONS: usize = 512;
/// How long the head of a request may take to come, and how long a connection may be quiet.
const PATIENCE: Duration = Duration::from_secs(30);
/// How long one connection may live; browsers make a new one.
const LIFETIME: Duration = Duration::from_secs(600);

/// Answers whoever comes, for ever.
///
/// # Errors
/// Never by itself: what goes wrong with one connection is that connection's end.
pub async fn serve(listener: TcpListener, router: Router) -> anyhow::Result<()> {
    let free = Arc::new(Semaphore::new(CONNECTIONS));
    loop {
        let permit = free.clone().acquire_owned().await?;
        let Ok((stream, _)) = listener.accept().await else {
            // Out of files, most likely: some will be closed.
            tokio::time::sleep(Duration::from_millis(50)).await;
            continue;
        };
        let service = TowerToHyperService::new(router.clone());
        tokio::spawn(async move {
            let mut server = http1::Builder::new();
            server.timer(TokioTimer::new()).header_read_timeout(PATIENCE).max_buf_size(64 << 10);
            let connection = server.serve_connection(TokioIo::new(stream), service);
            // How a connection ends is its browser's business.
            let _ = tokio::time::timeout(LIFETIME, connection).await;
            drop(permit);
        });
    }
}
