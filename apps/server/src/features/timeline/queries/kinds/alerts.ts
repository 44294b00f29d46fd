import type { Source } from '../source.ts'

/** What alarmed about a site while it was the customer's. */
export const alerts: Source = {
  name: 'alert',
  kind: 'alert',
  permission: 'sites.read',
  from: 'alert_sites t join alerts a on a.id = t.alert_id join sites s on s.id = t.site_id',
  where: 't.customer_id = $1',
  at: 't.opened_at',
  id: 't.position',
  hasNumbers: true,
  columns: {
    event: 'a.title',
    object_id: 'a.id',
    status: 'a.status',
    detail: `concat_ws(' · ', case when a.subject <> 'site' then s.site_name end, nullif(a.detail, ''))`,
  },
}
