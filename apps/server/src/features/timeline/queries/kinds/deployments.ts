import type { Source } from '../source.ts'

export const deployments: Source = {
  name: 'deployment',
  kind: 'deployment',
  permission: 'sites.read',
  from: 'deployments d',
  where: 'd.owner_id = $1',
  at: 'd.queued_at',
  id: 'd.id',
  columns: {
    event: 'd.kind',
    object_id: 'd.id',
    status: 'd.status',
    actor: 'd.actor_name',
    detail: `concat_ws(' · ', (select site_name from sites where id = d.site_id), d.version, d.failure)`,
  },
}
