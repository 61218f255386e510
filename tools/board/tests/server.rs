//! A server on a socket, for browsers.

use crate::common::{limits, program};
use outflank_board::engine::Launcher;
use outflank_board::house::House;
use outflank_board::store::Store;
use outflank_board::web::{Access, router, serve};
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tempfile::TempDir;
use tokio::net::TcpListener;
use tokio::runtime::Runtime;

/// A server on a socket. It ends when it is dropped, and its folder goes.
pub(crate) struct Server {
    runtime: Option<Runtime>,
    pub(crate) address: SocketAddr,
    folder: Arc<TempDir>,
}

impl Drop for Server {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_timeout(Duration::from_secs(10));
        }
    }
}

impl Server {
    /// A server with engines of this kind, on this folder and at this address, for whoever has access by the port.
    pub(crate) fn start(
        launcher: impl Launcher + 'static,
        folder: Arc<TempDir>,
        address: SocketAddr,
        access: impl FnOnce(u16) -> Access,
    ) -> Server {
        let runtime = Runtime::new().unwrap();
        let address = runtime.block_on(async {
            // What the server before it leaves behind may take a moment to go.
            let mut tries = 0..200;
            let (store, listener) = loop {
                match (Store::open(folder.path()), TcpListener::bind(address).await) {
                    (Ok(store), Ok(listener)) => break (store, listener),
                    _ => assert!(tries.next().is_some(), "the folder or the port does not get free"),
                }
                tokio::time::sleep(Duration::from_millis(50)).await;
            };
            let house = House::open(store, Box::new(launcher), limits()).unwrap();
            let address = listener.local_addr().unwrap();
            tokio::spawn(house.clone().look_after());
            house.resume();
            tokio::spawn(serve(listener, router(house, access(address.port()))));
            address
        });
        Server { runtime: Some(runtime), address, folder }
    }

    /// Ends it; another one continues its games at the same address.
    pub(crate) fn end(self) -> (Arc<TempDir>, SocketAddr) {
        (self.folder.clone(), self.address)
    }
}

/// A folder of a test's own.
pub(crate) fn folder() -> Arc<TempDir> {
    Arc::new(tempfile::Builder::new().tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap())
}

/// A server with the engine, for this machine.
pub(crate) fn server() -> Server {
    server_with(program())
}

pub(crate) fn server_with(launcher: impl Launcher + 'static) -> Server {
    Server::start(launcher, folder(), ([127, 0, 0, 1], 0).into(), Access::local)
}
