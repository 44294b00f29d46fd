/** A site `s` as the contract has it. */
export const siteColumns = `s.id, s.site_name, s.domain, s.subdomain, s.customer_id, s.customer_name, s.status, s.status_reason,
  iso_utc(s.status_until) as status_until, s.at_provider, s.health_status,
  iso_utc(s.health_checked_at) as health_checked_at, s.health_detail, s.response_ms, s.ssl_status,
  iso_utc(s.ssl_expires_at) as ssl_expires_at, s.ssl_issuer, iso_utc(s.ssl_checked_at) as ssl_checked_at,
  s.performance_score, iso_utc(s.scored_at) as scored_at, s.deployment_url,
  iso_utc(s.last_deployment) as last_deployment, s.template_type, s.storage_used,
  iso_utc(s.storage_used_at) as storage_used_at, s.bandwidth_used, iso_utc(s.bandwidth_used_at) as bandwidth_used_at,
  s.provider, s.version, iso_utc(s.created_at) as created_at, iso_utc(s.updated_at) as updated_at`
