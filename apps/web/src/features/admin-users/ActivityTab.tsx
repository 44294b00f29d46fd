import type { AuditEntry } from '@agency/contract/types'
import { useListScreen } from '../../lib/list/use-list-screen.ts'
import { ListScreen } from '../../ui/list/ListScreen.tsx'
import { activityColumns } from './activity-columns.tsx'
import { activityList } from './users-list.ts'

const nameOf = (entry: AuditEntry) => entry.details

/** What was done with people, roles, keys and sessions, newest first. */
export function ActivityTab() {
  return (
    <ListScreen
      screen={useListScreen(activityList)}
      label="Activity Log"
      many="activity"
      what="the activity log"
      columns={activityColumns}
      nameOf={nameOf}
      skeletonRows={10}
      empty="No changes to people, roles or sessions yet."
    />
  )
}
