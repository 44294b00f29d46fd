// Aliases: d deployments, s sites.

/** Of what was heard instead of an answer. */
export const stillLookedFor = 'its result is unknown; still checking'

const running = `o.status in ('building', 'deploying') and o.origin = 'console'`

const position = `case when d.status = 'queued' then (
    select count(*)::int from deployments o
    where o.lane = d.lane and o.status = 'queued' and (o.queued_at, o.id) <= (d.queued_at, d.id)
  ) end as position`

const waitingFor = `case when d.status = 'queued' then coalesce(
    (
      select 'Waiting for another deployment of this project: ' || os.site_name || coalesce(', ' || o.version, '')
      from deployments o join sites os on os.id = o.site_id where o.lane = d.lane and ${running} limit 1
    ), (
      select 'Other deployments of this project are ahead' from deployments o
      where o.lane = d.lane and o.status = 'queued' and (o.queued_at, o.id) < (d.queued_at, d.id) limit 1
    ), 'Starting soon'
  ) else coalesce(d.wait_note, d.provider_error || '; ${stillLookedFor}') end as waiting_for`

/** Where a deployment of the site would run now. */
const laneNow = `case s.provider when 'pages' then 'pages:' || (s.provider_settings ->> 'project')
  when 'hook' then 'hook:' || s.id end`

/** Not known to be served, nor known not to be: lost on its way, left to itself, or another build was seen. */
const mayBeServed = `o.sent_at is not null and (
    (o.status = 'failed' and (o.accepted_at is null or o.served is not null))
    or (o.status = 'cancelled' and o.provider = 'hook')
  )`

/**
 * The deployment whose build the site serves; null: it is not known, also where another build was seen after the newest success.
 * Which ones count is the expression of an index.
 */
export const servedNow = `(
    select case when o.status = 'success' and o.served ->> 'matches' is distinct from 'false'
      then coalesce(o.rolled_back_to, o.id) end from deployments o
    where o.site_id = d.site_id and (o.status = 'success' or (${mayBeServed}))
    order by o.queued_at desc, o.id desc limit 1
  )`

/** Its build is what visitors get now: the site is reachable, and still built where this one was. */
export const isLive = `coalesce(
    d.status = 'success' and (
      select s.deleted_at is null and s.at_provider in ('served', 'still_served') and ${laneNow} = d.lane
      from sites s where s.id = d.site_id
    ) and ${servedNow} = d.id, false)`

/** The build that a rollback brings back. */
const restored = `(
    select json_build_object('version', o.version, 'commit_message', o.commit_message)
    from deployments o where o.id = d.rolled_back_to
  ) as restored`

const isOpen = `d.status in ('queued', 'building', 'deploying')`

const can = `json_build_object(
    'cancel', case
      when not ${isOpen} then 'Already finished'
      when d.origin = 'provider' then 'Not started here: stop the deployment at Cloudflare'
      when d.cancel_requested_at is not null then 'Already cancelling'
    end,
    'retry', case
      when ${isOpen} then 'Still running'
      when d.status = 'success' then 'Already successful'
      when s.status = 'deleted' then 'The site is deleted'
      when ${laneNow} is distinct from d.lane then 'The site has another project now'
    end,
    'rollback', case
      when d.status <> 'success' then 'No successful build'
      when d.kind = 'rollback' then 'This is a rollback: choose the original deployment'
      when d.build_id is null then 'Unknown build'
      when s.status = 'deleted' then 'The site is deleted'
      when ${laneNow} is distinct from d.lane then 'The site has another project now'
      when ${servedNow} = d.id then 'Already live'
    end
  ) as can`

const logLines = `(
    select coalesce(max(l.number), 0) from deployment_log_lines l where l.deployment_id = d.id
  ) as log_lines`

export const deploymentColumns = `d.id, d.site_id, s.site_name, s.domain as site_domain, s.customer_id, s.customer_name,
  d.kind, d.status, d.reason, d.failure, d.version, iso_utc(d.queued_at) as queued_at,
  iso_utc(d.started_at) as started_at, iso_utc(d.completed_at) as completed_at, d.duration, ${position}, ${waitingFor},
  d.provider, d.provider_deployment_id, d.build_id, d.commit_hash, d.commit_message, d.branch, d.url, d.origin,
  d.actor_name as requested_by, d.environment_version, d.rolled_back_to, ${restored}, d.retry_of, ${isLive} as is_live,
  iso_utc(d.cancel_requested_at) as cancel_requested_at, ${logLines}, ${can}`

export const deploymentJoins = 'join sites s on s.id = d.site_id'
