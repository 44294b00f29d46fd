import { isLive } from '../../../deployments/index.ts'
import type { Source } from '../source.ts'

/** A rollback is told by the build that it brings back. */
const build = `case when d.rolled_back_to is null then d.version else (
    select 'Rollback to ' || concat_ws(' · ', coalesce(o.version, o.id), o.commit_message) from deployments o where o.id = d.rolled_back_to
  ) end`

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
    detail: `concat_ws(' · ', (select site_name from sites where id = d.site_id), ${build}, d.failure)`,
    is_live: isLive,
  },
}
