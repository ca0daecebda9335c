-- Legs that a node which executes nothing hands over, with what their answers leave, and how they ended:
-- JSON of `legs/handed-over.ts` and `legs/running-leg.ts`.
ALTER TABLE run_queue ADD COLUMN handed TEXT COLLATE "C";
ALTER TABLE run_queue ADD COLUMN leg_end TEXT COLLATE "C";
