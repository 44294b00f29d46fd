-- Since when somebody asks the provider about it: whoever settles it by hand waits for that to end.
alter table money_actions add column asked_at timestamptz;
