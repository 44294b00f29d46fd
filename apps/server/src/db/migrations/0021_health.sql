-- One row per minute in which a console ran; a minute without a row is one in which none did.
create table health_minutes (
  minute timestamptz primary key,
  overall text not null check (overall in ('healthy', 'degraded', 'down'))
);
