//! Connections: bounded in number, and none may dawdle over the head of its request. Bodies are timed where they are
//! read, in `sent`.

use super::doorway::{Doorway, Place};
use axum::Router;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};

/// How long the head of a request may take to come, and how long a connection may be quiet.
const PATIENCE: Duration = Duration::from_secs(5);
/// How long one connection may live; browsers make a new one.
const LIFETIME: Duration = Duration::from_secs(600);

/// Answers whoever comes, for ever.
///
/// # Errors
/// Never: what goes wrong with one connection is that connection's end.
pub async fn serve(listener: TcpListener, router: Router) -> anyhow::Result<()> {
    let doorway = Doorway::default();
    loop {
        let Ok((stream, address)) = listener.accept().await else {
            // Out of files, most likely: some will be closed.
            tokio::time::sleep(Duration::from_millis(50)).await;
            continue;
        };
        let (place, hung_up) = doorway.enter(address.ip());
        let router = router.clone();
        tokio::spawn(async move {
            let place = Arc::new(place);
            tokio::select! {
                () = converse(stream, router, &place) => {}
                _ = hung_up => {}
            }
        });
    }
}

/// Answers one connection. Each of its requests brings the place, which the guard makes a guest's.
async fn converse(stream: TcpStream, router: Router, place: &Arc<Place>) {
    let router = TowerToHyperService::new(router);
    let service = service_fn(|mut request: hyper::Request<Incoming>| {
        request.extensions_mut().insert(place.clone());
        router.call(request)
    });
    let mut server = http1::Builder::new();
    server.timer(TokioTimer::new()).header_read_timeout(PATIENCE).max_buf_size(64 << 10);
    let connection = server.serve_connection(TokioIo::new(stream), service);
    // How a connection ends is its browser's business.
    let _ = tokio::time::timeout(LIFETIME, connection).await;
}
