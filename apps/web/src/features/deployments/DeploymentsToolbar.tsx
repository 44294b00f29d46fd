import type { DeploymentCounts } from '@agency/contract/types'
import { formatCount } from '../../lib/format.ts'
import type { SearchState } from '../../lib/use-search-state.ts'
import { ListSearch, ListSelect } from '../../ui/list/fields.tsx'
import { type DeploymentsSearch, type deploymentsSearch, statusChoices } from './deployments-search.ts'

type Props = { screen: SearchState<typeof deploymentsSearch>; counts: DeploymentCounts | undefined }

export function DeploymentsToolbar({ screen, counts }: Props) {
  const choices = statusChoices.map(({ value, label }) => ({
    value,
    label: counts ? `${label} (${formatCount(counts[value as DeploymentsSearch['status']])})` : label,
  }))
  return (
    <>
      <ListSearch screen={screen} label="Search site, version or commit" />
      <ListSelect screen={screen} field="status" label="Status" choices={choices} />
    </>
  )
}
