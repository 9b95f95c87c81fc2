//! `zones check`: whether every agent of a running world lives in exactly one zone.

use crate::{
    OpenWorld, ZonesError,
    control::{Ask, CHECKER, ControlLine, Stated},
};
use nav_zones::{Audit, Statement, Verdict, ZoneId, audit, layout_now};
use std::time::Duration;

/// Wait for the statements of zones after each request, and number of requests. Guesses: together
/// the default lease of three seconds.
const WAIT: Duration = Duration::from_millis(500);
const ATTEMPTS: u32 = 6;

/// Further audits if the first finds faults, each with new statements.
///
/// An audit is right about a world that moves. More of them are for a zone that is being taken
/// over: its former process may make statements until it knows, and faults of a world stay.
const CONFIRMATIONS: u32 = 2;

/// The result of a check.
#[derive(Clone, Debug, Default)]
pub struct Check {
    /// Agents in the zones.
    pub audit: Audit,
    /// Zones that cannot write at present, and why.
    pub troubles: Vec<(ZoneId, String)>,
}

impl Check {
    /// Returns the exit code: 0 for a clean world, 1 for faults, 3 if there is no telling or a zone
    /// cannot write at present.
    pub fn code(&self) -> u8 {
        match self.audit.verdict() {
            Verdict::Faults => 1,
            Verdict::Unknown => CANNOT_TELL,
            Verdict::Clean if !self.troubles.is_empty() => CANNOT_TELL,
            Verdict::Clean => 0,
        }
    }
}

/// Exit code of a check that cannot tell.
pub(crate) const CANNOT_TELL: u8 = 3;

/// Asks all zones for their agents, and compares the statements with the ledger.
///
/// # Errors
///
/// [`ZonesError`]. Errors in the world itself are in the audit.
pub fn check(world: &mut OpenWorld) -> Result<Check, ZonesError> {
    let mut line = ControlLine::open(&world.connection, CHECKER)?;
    let layout = layout_now(&mut world.keeper, &world.plan.layout)?;
    let zones: Vec<ZoneId> = layout.zones().collect();
    let mut checked = check_once(world, &mut line, &zones)?;
    for _ in 0..CONFIRMATIONS {
        if checked.audit.verdict() != Verdict::Faults {
            break;
        }
        let before = checked.audit;
        checked = check_once(world, &mut line, &zones)?;
        checked.audit.confirm(&before);
    }
    Ok(checked)
}

fn check_once(
    world: &mut OpenWorld,
    line: &mut ControlLine,
    zones: &[ZoneId],
) -> Result<Check, ZonesError> {
    // Late answers to earlier requests would be older than the ledger that they are compared with.
    while line.receive::<Stated>(Duration::ZERO)?.is_some() {}
    let mut statements: Vec<Statement> = Vec::new();
    let mut troubles: Vec<(ZoneId, String)> = Vec::new();
    for _ in 0..ATTEMPTS {
        let mut silent = zones.to_vec();
        silent.retain(|&zone| statements.iter().all(|known| known.zone != zone));
        if silent.is_empty() {
            break;
        }
        for zone in silent {
            line.ask(zone, Ask::State)?;
        }
        while let Some(Stated { statement, trouble }) = line.receive(WAIT)? {
            if let Some(statement) = statement
                && statements.iter().all(|known| known.zone != statement.zone)
            {
                troubles.extend(trouble.map(|trouble| (statement.zone, trouble)));
                statements.push(statement);
            }
            if statements.len() == zones.len() {
                break;
            }
        }
    }
    let audit = audit(&mut world.keeper, zones, &statements)?;
    Ok(Check { audit, troubles })
}
