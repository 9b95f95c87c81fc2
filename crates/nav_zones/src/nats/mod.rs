//! [Keeper](crate::keeper::Keeper) and [bus](crate::Bus) on NATS with `JetStream`.
//!
//! A process opens one [`NatsConnection`] for a world and makes a [`NatsKeeper`] and a [`NatsBus`]
//! of it. Calls wait for the broker, each up to the [timeout](NatsOptions::timeout), on a runtime
//! with one thread that belongs to the connection. Within an asynchronous task they fail as
//! [unreachable](crate::keeper::KeeperError::Unreachable).
//!
//! | what | where at the broker | settings |
//! |---|---|---|
//! | leases | bucket of keys `<world>_zones`, a key for each zone | one value a key |
//! | ledger | stream `<world>_ledger`, subject `<world>.ledger.<from>.<to>` | files, no limits |
//! | events | stream `<world>_events` | files, the last 2²⁰ |
//! | snapshots | bucket of objects `<world>_snapshots` | files |
//! | maps and others by name | bucket of objects `<world>_named` | files |
//! | messages between zones | subject `<world>.bus.<zone>`, without `JetStream` | kept nowhere |
//!
//! [`forget`](crate::keeper::Keeper::forget) drops entries of the ledger that snapshots contain.
//!
//! The first process creates them. One that exists is used with the settings that it has, unless
//! it would lose data by them. The broker writes acknowledged data to its files, but by default
//! flushes these to the disk only every two minutes. To keep acknowledged entries through a power
//! failure, set `sync_interval: always` at the broker, or run three brokers as a cluster.

mod broker;
mod bus;
mod connect;
mod events;
mod keeper;
mod leases;
mod ledger;
mod names;
mod objects;
mod options;
mod parts;
mod reader;
mod snapshots;
mod streams;
mod violations;

pub use broker::{Broker, BrokerError};
pub use bus::NatsBus;
pub use connect::NatsConnection;
pub use keeper::NatsKeeper;
pub use options::{NatsError, NatsOptions};
