//! The page of a match that runs, for this machine alone.

use anyhow::Context;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::Html;
use axum::{Router, routing};
use outflank_arena::html::live::{REFRESH, live};
use outflank_arena::moment::Moment;
use outflank_arena::standings::Standings;
use outflank_record::console::complain;
use std::net::{Ipv4Addr, TcpListener};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// How much longer than it should a page may take to load itself anew.
const SLOW: Duration = Duration::from_secs(1);

/// What the page shows but for the games of the moment.
#[derive(Default)]
struct Results {
    standings: Standings,
    /// The standings as the terminal shows them.
    table: String,
    /// How many games are over, and of how many.
    games: (u64, u64),
    /// Whether the match is over.
    over: bool,
    /// When somebody last looked.
    asked: Option<Instant>,
}

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
            if !own {
                return Err(StatusCode::FORBIDDEN);
            }
            let mut results = results.lock().unwrap_or_else(PoisonError::into_inner);
            results.asked = Some(Instant::now());
            let Results { standings, table, games, over, .. } = &*results;
            let going = moment.now();
            Ok(Html(live(standings, table, *games, (!over).then_some(going.as_slice()))))
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
        let mut results = self.results();
        *results = Results { standings: standings.clone(), table, games, ..*results };
    }

    /// The match is over: whoever watches gets a last page, which does not load itself anew.
    pub(crate) fn close(self) {
        let watched = {
            let mut results = self.results();
            results.over = true;
            results.asked.is_some_and(|asked| asked.elapsed() < REFRESH + SLOW)
        };
        if watched {
            thread::sleep(REFRESH + SLOW);
        }
    }

    fn results(&self) -> MutexGuard<'_, Results> {
        self.results.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
