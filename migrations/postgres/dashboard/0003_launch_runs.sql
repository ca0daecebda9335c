-- Each launch looks whether its run is remembered already.
CREATE INDEX launches_by_run ON launches (run_id);
