//! The page of a match that runs, for this machine alone.

use anyhow::Context;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::Html;
use axum::{Router, routing};
use outflank_arena::html::live::live;
use outflank_arena::moment::Moment;
use outflank_arena::standings::Standings;
use outflank_record::console::complain;
use std::net::{Ipv4Addr, TcpListener};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

/// What the page shows but for the games of the moment: the results, as the terminal shows them too, and how many games
/// of all are over.
type Results = (Standings, String, (u64, u64));

/// The page.
pub(crate) struct Served {
    results: Arc<Mutex<Results>>,
    pub(crate) moment: Arc<Moment>,
}

impl Served {
    /// Serves the page at this port, for as long as the program runs, and says where.
    pub(crate) fn open(port: u16) -> anyhow::Result<Served> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))
            .and_then(|listener| listener.set_nonblocking(true).map(|()| listener))
            .with_context(|| {
                format!("the page cannot be served at port {port} (--serve 0 takes any free one)")
            })?;
        let host = listener.local_addr()?.to_string();
        complain(format_args!("the match is shown at http://{host}/"));
        let served = Served { results: Arc::default(), moment: Arc::default() };
        let (results, moment) = (served.results.clone(), served.moment.clone());
        let page = async move |headers: HeaderMap| {
            // A stranger's page may lead here by another name.
            let own = headers.get(header::HOST).is_some_and(|named| named.as_bytes() == host.as_bytes());
            let (standings, table, games) = &*results.lock().unwrap_or_else(PoisonError::into_inner);
            own.then(|| Html(live(standings, table, *games, &moment.now()))).ok_or(StatusCode::FORBIDDEN)
        };
        let router = Router::new().route("/", routing::get(page));
        let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build()?;
        thread::Builder::new().spawn(move || {
            runtime.block_on(async {
                let listener = tokio::net::TcpListener::from_std(listener)?;
                axum::serve(listener, router).await
            })
        })?;
        Ok(served)
    }

    /// Shows these results.
    pub(crate) fn show(&self, standings: &Standings, table: String, games: (u64, u64)) {
        *self.results.lock().unwrap_or_else(PoisonError::into_inner) = (standings.clone(), table, games);
    }
}
