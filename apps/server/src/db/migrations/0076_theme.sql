-- How somebody wants the console to look, on every device.
alter table users add column theme text not null default 'system' check (theme in ('light', 'dark', 'system'));
