create table monitored_services (
  key text primary key, status text not null default 'unknown', detail text not null default '', since timestamptz,
  checked_at timestamptz, response_ms real, next_at timestamptz not null default '-infinity'
);
create table metric_minutes (metric text not null, minute timestamptz not null, value real not null, max real not null, primary key (metric, minute));
create table metric_hours (metric text not null, hour timestamptz not null, value real not null, max real not null, primary key (metric, hour));
