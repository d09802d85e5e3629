//! Connections: accepted within a bound, and finished when the service ends.

use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use futures_util::FutureExt as _;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::time::{sleep, timeout};

use crate::app::{App, router};

/// The time in which the head of a request must come; also that of a connection on which nothing is asked.
const HEAD: Duration = Duration::from_secs(20);

/// At the end, the time in which connections that wait to be accepted are, and in which clients that keep theirs are told to close it.
const LAST_CALL: Duration = Duration::from_millis(500);

/// Accepts connections until `end`, then lets what was accepted finish.
pub(crate) async fn serve(listener: TcpListener, app: Arc<App>, end: impl Future<Output = ()>) {
    let routes = router(&app);
    let graceful = GracefulShutdown::new();
    let places = Arc::new(Semaphore::new(app.config.connections));
    let accept = |stream: TcpStream, place: tokio::sync::OwnedSemaphorePermit| {
        let _ = stream.set_nodelay(true);
        let mut http = hyper::server::conn::http1::Builder::new();
        http.timer(TokioTimer::new()).header_read_timeout(HEAD).max_buf_size(64 << 10);
        let connection =
            http.serve_connection(TokioIo::new(stream), TowerToHyperService::new(routes.clone()));
        let connection = graceful.watch(connection);
        let app = Arc::clone(&app);
        tokio::spawn(async move {
            app.metrics.connections.inc();
            // A connection that fails has nobody left to be told.
            let _ = connection.await;
            app.metrics.connections.dec();
            drop(place);
        });
    };
    let next = async || {
        let place = Arc::clone(&places).acquire_owned().await.ok()?;
        loop {
            match listener.accept().await {
                Ok((stream, _)) => return Some((stream, place)),
                // No file is free, or the client is gone already: neither is a reason to end.
                Err(error) => {
                    tracing::warn!("a connection was not accepted: {error}");
                    sleep(Duration::from_millis(10)).await;
                }
            }
        }
    };
    let mut end = std::pin::pin!(end);
    loop {
        tokio::select! {
            accepted = next() => match accepted {
                Some((stream, place)) => accept(stream, place),
                None => break,
            },
            () = &mut end => break,
        }
    }
    app.ending.store(true, Ordering::SeqCst);
    let last_call = async {
        while let Some((stream, place)) = next().await {
            accept(stream, place);
        }
    };
    let _ = timeout(LAST_CALL, last_call).await;
    // Whoever is connected already, as far as the system knows, is accepted too.
    while let Some(Some((stream, place))) = next().now_or_never() {
        accept(stream, place);
    }
    drop(listener);
    // A connection on which nothing is asked is closed at once, so the last ones get the time to ask.
    sleep(LAST_CALL).await;
    if timeout(app.config.drain, graceful.shutdown()).await.is_err() {
        tracing::warn!("some requests were not done in time and are cut off");
    }
}
