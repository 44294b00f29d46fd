-- Keys that lie open in the pages of sites: they name the origins of these, evaluate flags and do nothing else.
alter table api_keys add column allowed_origins text[] not null default '{}';
alter table api_keys drop constraint api_keys_rate_limit_per_minute_check;
alter table api_keys add constraint api_keys_rate_limit check (
  rate_limit_per_minute between 1 and case when allowed_origins = '{}' then 10000 else 120000 end
);
alter table api_keys add constraint api_keys_browser check (allowed_origins = '{}' or permissions = '{flags.evaluate}');
create trigger api_keys_tell_origins after update on api_keys for each row
  when (new.allowed_origins is distinct from old.allowed_origins)
  execute function tell_change('api_keys');
create trigger api_keys_tell_origins_sessions after update on api_keys for each row
  when (new.allowed_origins is distinct from old.allowed_origins)
  execute function tell_change('sessions');
