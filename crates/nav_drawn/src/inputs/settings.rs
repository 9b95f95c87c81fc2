//! Inputs about settings: chasers, timers and behaviours are tuned while they run.

use super::{Inputs, Kind, View, agents::now};
use crate::{
    Scene, Stage,
    input::{Input, Part},
};
use nav::{Chaser, GoTo, MoveTimer, Period};
use nav_behaviour::{
    Approach, ApproachSide, CatchUp, Confused, Formation, FormationShape, GiveUp, Home, Intercept,
    KeepDistance, Leash, Memory, Notice, Noticeable, Patrol, PatrolOrder, StepAside, StuckWatch,
    ViewCone, Wander,
};
use nav_grid::Direction;

const SHAPES: [FormationShape; 4] = [
    FormationShape::Column,
    FormationShape::Line,
    FormationShape::Wedge,
    FormationShape::Ring,
];

const SIDES: [ApproachSide; 3] = [
    ApproachSide::Behind,
    ApproachSide::Beside,
    ApproachSide::InFront,
];

impl Inputs {
    pub(super) fn retune(&mut self, view: &View) -> Option<Input> {
        let mut other = view.scene.other_tuning(&mut self.draw);
        let interval = Period::from_millis(self.draw.number(50, 1000).into());
        let (who, agent) = self.one_npc(view)?;
        other.rules.footprint = agent.get::<Chaser>()?.rules.footprint;
        other.repath_interval = interval;
        other.repath_distance = self.draw.one_of(&[0.0, 0.5, 2.0]);
        Some(Input::Give(who, Part::Chaser(other.into())))
    }

    /// Inserts settings that end chases.
    pub(super) fn nonsense(&mut self, view: &View) -> Option<Input> {
        let (who, agent) = self.one_npc(view)?;
        let mut chaser = *agent.get::<Chaser>()?;
        match self.draw.number(0, 4) {
            0 => chaser.repath_distance = f32::NAN,
            1 => chaser.repath_distance = -1.0,
            2 => chaser.stop_distance = 0,
            3 => chaser.limits.expansions = 0,
            _ => chaser.limits.radius = 0,
        }
        Some(Input::Give(who, Part::Chaser(chaser.into())))
    }

    pub(super) fn renew(&mut self, view: &mut View) -> Option<Input> {
        let part = Part::Chaser(Chaser::default().into());
        let who = self.npc(view)?;
        view.inputs.push(Input::Take(who, part.clone()));
        Some(Input::Give(who, part))
    }

    pub(super) fn period(&mut self, view: &View) -> Option<Input> {
        let (who, agent) = self.one_npc(view)?;
        let put_off = self.draw.percent(30);
        let period = Period::from_millis(self.draw.one_of(&[50, 100, 250, 400, 1000]));
        let mut timer = *agent.get::<MoveTimer>()?;
        (timer.chasing, timer.idle) = (period, period);
        if put_off {
            timer.next_step = now(view).after(period);
        }
        Some(Input::Give(who, Part::MoveTimer(timer)))
    }

    pub(super) fn budget(&mut self) -> Input {
        let budgets = [
            None,
            None,
            Some(1),
            Some(7),
            Some(60),
            Some(500),
            Some(20_000),
        ];
        Input::Budget(self.draw.one_of(&budgets))
    }

    pub(super) fn behave(&mut self, view: &mut View) -> Option<Input> {
        if !self.has_behaviours {
            return None;
        }
        let (cell, other) = (self.cell(view), self.cell(view));
        let leader = self.anybody(view);
        let mut gives = self.draw.percent(65);
        let what = self.draw.number(0, 19);
        let (who, _) = self.one_of_all(view)?;
        let period = Period::from_millis(self.draw.number(0, 4000).into());
        let range = self.draw.number(0, 30);
        let part = match what {
            0 => Part::Notice(Notice::new(range)),
            1 => Part::Noticeable(Noticeable::default()),
            2 => Part::Leash(Leash::new(range)),
            3 => Part::GiveUp(GiveUp {
                unreachable: self.draw.percent(70).then_some(period),
                out_of_reach: self.draw.percent(50).then_some(period),
                ignores_for: period,
            }),
            4 => Part::Home(Home(cell)),
            5 => Part::GoTo(GoTo(cell)),
            6 => {
                let orders = [PatrolOrder::Loop, PatrolOrder::PingPong, PatrolOrder::Once];
                Part::Patrol(Patrol::new(self.draw.one_of(&orders), [cell, other]))
            }
            7 => Part::Formation(Formation::new(self.draw.one_of(&SHAPES))),
            8 => {
                gives &= who != leader;
                Part::InFormation(leader)
            }
            9 => Part::Intercept(Intercept::new(range)),
            10 => Part::KeepDistance(KeepDistance { least: range / 3 }),
            11 => Part::Threat(leader, range.into()),
            12 => Part::Wander(Wander::new(range).with_pauses(Period::default(), period)),
            13 => Part::Flee(leader, range, cell.x.is_multiple_of(2)),
            14 => Part::Confused(Confused::for_period(period)),
            15 => Part::Approach(Approach::new(SIDES[usize::from(range) % 3])),
            16 => Part::CatchUp(CatchUp::new(range / 4, 80 + 5 * range)),
            17 => Part::Memory(Memory::new(range)),
            18 => Part::ViewCone(ViewCone::new(
                10 * range,
                Direction::ALL[usize::from(range) % 8],
            )),
            _ if range.is_multiple_of(2) => Part::StepAside(StepAside::default()),
            _ => Part::StuckWatch(StuckWatch::default()),
        };
        Some(if gives {
            Input::Give(who, part)
        } else {
            Input::Take(who, part)
        })
    }

    /// Gives some chasers a behaviour, in place of a chase or beside it.
    pub fn begin(&mut self, scene: &Scene, stage: &mut Stage) {
        for _ in 0..stage.npcs.len() {
            for kind in [Kind::Behave, Kind::Behave, Kind::CallOff] {
                for input in self.next(scene, stage, kind) {
                    stage.play(&input);
                }
            }
        }
    }
}
