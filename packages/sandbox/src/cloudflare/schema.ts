/** What Cloudflare knows; times are milliseconds. */
export const cloudflareTables = (schema: string) => `
create table if not exists ${schema}.kept (name text primary key, value jsonb not null);
create table if not exists ${schema}.cf_zones (
  id text primary key,
  name text not null unique,
  doc jsonb not null,
  records jsonb not null,
  priv jsonb not null
);
create table if not exists ${schema}.cf_projects (
  name text primary key,
  id text not null unique,
  created bigint not null,
  doc jsonb not null,
  priv jsonb not null
);
create table if not exists ${schema}.cf_domains (
  name text primary key,
  id text not null unique,
  project text not null references ${schema}.cf_projects (name) on delete cascade,
  created bigint not null,
  zone text
);
create index if not exists cf_domains_project on ${schema}.cf_domains (project);
create table if not exists ${schema}.cf_deployments (
  id text primary key,
  project text not null references ${schema}.cf_projects (name) on delete cascade,
  environment text not null check (environment in ('production', 'preview')),
  created bigint not null,
  ord bigint generated always as identity,
  live_at bigint,
  doc jsonb not null,
  priv jsonb not null
);
create index if not exists cf_deployments_newest on ${schema}.cf_deployments (project, created desc, ord desc);
create index if not exists cf_deployments_live on ${schema}.cf_deployments (project, live_at desc) where live_at is not null;
`
