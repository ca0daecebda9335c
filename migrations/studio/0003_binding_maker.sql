-- Who chose a binding: the template follows the trust of the installation, a person's choice stays.
ALTER TABLE project_environment ADD COLUMN made_by TEXT NOT NULL DEFAULT 'template'
  CHECK (made_by IN ('template', 'person'));
