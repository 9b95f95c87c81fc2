//! `zones check`: whether every agent of a running world lives in exactly one zone.

use crate::{
    Plan, WorldPlace, ZonesError,
    control::{Ask, CHECKER, ControlLine, Stated},
};
use nav_zones::{Audit, Statement, ZoneId, audit, layout_now, nats::NatsKeeper};
use std::time::Duration;

/// Wait for the statements of zones after each request, and number of requests. Guesses: together
/// the default lease of three seconds.
const WAIT: Duration = Duration::from_millis(500);
const ATTEMPTS: u32 = 6;

/// Asks all zones for their agents, and compares the statements with the ledger.
///
/// # Errors
///
/// [`ZonesError`]. Errors in the world itself are in the audit.
pub fn check(place: &WorldPlace) -> Result<Audit, ZonesError> {
    let connection = place.connect()?;
    let mut keeper = NatsKeeper::new(&connection)?;
    let plan = Plan::of(&mut keeper, place)?;
    let mut line = ControlLine::open(&connection, CHECKER)?;
    let layout = layout_now(&mut keeper, &plan.layout)?;
    let zones: Vec<ZoneId> = layout.zones().collect();
    let mut statements: Vec<Statement> = Vec::new();
    for _ in 0..ATTEMPTS {
        let silent = |zone: &&ZoneId| statements.iter().all(|known| known.zone != **zone);
        let silent: Vec<ZoneId> = zones.iter().filter(silent).copied().collect();
        if silent.is_empty() {
            break;
        }
        for &zone in &silent {
            line.ask(zone, Ask::State)?;
        }
        while let Some(Stated { statement }) = line.receive(WAIT)? {
            if let Some(statement) = statement
                && statements.iter().all(|known| known.zone != statement.zone)
            {
                statements.push(statement);
            }
            if statements.len() == zones.len() {
                break;
            }
        }
    }
    Ok(audit(&mut keeper, &zones, &statements)?)
}

/// Fails unless every agent lives in exactly one zone.
///
/// # Errors
///
/// [`ZonesError::NotClean`].
pub fn refuse_unclean(audit: &Audit) -> Result<(), ZonesError> {
    if audit.is_clean() {
        return Ok(());
    }
    Err(ZonesError::NotClean {
        lost: audit.lost.len(),
        doubled: audit.doubled.len(),
        silent: audit.silent.len(),
    })
}
