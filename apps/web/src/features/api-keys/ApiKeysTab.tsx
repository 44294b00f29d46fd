import * as apiKeys from '@agency/contract/descriptors/api-keys'
import type { ApiKey } from '@agency/contract/types'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useCallback, useState } from 'react'
import { q } from '../../lib/api.ts'
import { useDenial } from '../../lib/session.ts'
import { useSearchState } from '../../lib/use-search-state.ts'
import type { Action } from '../../ui/action.ts'
import { Button } from '../../ui/Button.tsx'
import { DataTable } from '../../ui/data-table/DataTable.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { FilterSelect } from '../../ui/FilterField.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { ListFailure } from '../../ui/ListFailure.tsx'
import { SearchField } from '../../ui/SearchField.tsx'
import type { Act } from './ApiKeyDialogs.tsx'
import { apiKeyColumns } from './api-key-columns.tsx'
import { apiKeySearch, matching, noFilters, statusChoices } from './api-key-search.ts'
import { rollBlock } from './api-key-words.ts'

const ApiKeyDialogs = lazy(() => import('./ApiKeyDialogs.tsx').then((m) => ({ default: m.ApiKeyDialogs })))
const ApiKeyDetails = lazy(() => import('./ApiKeyDetails.tsx').then((m) => ({ default: m.ApiKeyDetails })))

const keyOf = (key: ApiKey) => key.id
const nameOf = (key: ApiKey) => key.name
const unit = ['key', 'keys'] as const

/** The keys of the API, on whatever screen they are shown. */
export function ApiKeysTab() {
  const denial = useDenial(apiKeys.listApiKeys)
  return denial ? <EmptyState title="You may not see API keys" text={denial} /> : <ApiKeysTable />
}

function ApiKeysTable() {
  const { state, set, hrefFor } = useSearchState(apiKeySearch)
  const list = useQuery(q(apiKeys.listApiKeys, {}))
  const [act, setAct] = useState<Act>()
  const all = list.data?.keys
  const rows = all && matching(all, state)
  const hrefOf = useCallback((key: ApiKey) => hrefFor({ open: key.id }), [hrefFor])
  const opened = all?.find((key) => key.id === state.open)
  const generate = (
    <Button variant="contained" startIcon={<Icon name="add" />} onClick={() => setAct({ kind: 'generate' })}>
      Generate API Key
    </Button>
  )
  return (
    <>
      <ListFailure
        error={list.error}
        what="the API keys"
        at={all ? list.dataUpdatedAt : null}
        onRetry={() => void list.refetch()}
      />
      <DataTable
        label="API keys"
        columns={apiKeyColumns}
        rows={rows}
        keyOf={keyOf}
        nameOf={nameOf}
        hrefOf={hrefOf}
        actionsOf={(key) => actionsOf(key, hrefOf(key), setAct)}
        fetching={list.isError && list.isFetching}
        total={rows?.length}
        unit={unit}
        skeletonRows={5}
        toolbar={
          <>
            <SearchField
              label="Search name, prefix or maker"
              value={state.search}
              onSearch={(search) => set({ search })}
            />
            <FilterSelect
              label="Status"
              value={state.status}
              choices={statusChoices}
              onChange={(status) => set({ status: status as typeof state.status })}
            />
            {generate}
          </>
        }
        filters={
          state.status === 'all'
            ? []
            : [{ label: `Status: ${state.status}`, onRemove: () => set({ status: noFilters.status }) }]
        }
        empty={<NoKeys any={(all?.length ?? 0) > 0} onClear={() => set(noFilters)} />}
        error={list.isError && !all ? <EmptyState text="No keys to show." /> : undefined}
      />
      <Suspense>
        {opened ? <ApiKeyDetails apiKey={opened} onAct={setAct} onClose={() => set({ open: '' })} /> : null}
        {act ? <ApiKeyDialogs act={act} onClose={() => setAct(undefined)} /> : null}
      </Suspense>
    </>
  )
}

function actionsOf(key: ApiKey, href: string, onAct: (act: Act) => void): readonly Action[] {
  const revoked = key.state === 'revoked' ? 'It is revoked already' : undefined
  return [
    { label: 'View Details', href },
    { label: 'Rename or limit', disabledReason: revoked, onSelect: () => onAct({ kind: 'edit', key }) },
    { label: 'Re-roll', disabledReason: rollBlock(key), onSelect: () => onAct({ kind: 'roll', key }), divider: true },
    {
      label: 'Revoke',
      destructive: true,
      disabledReason: revoked,
      onSelect: () => onAct({ kind: 'revoke', key }),
    },
  ]
}

function NoKeys({ any, onClear }: { any: boolean; onClear: () => void }) {
  if (any) {
    return <EmptyState text="No keys match your filters" action={<Button onClick={onClear}>Clear filters</Button>} />
  }
  return (
    <EmptyState
      title="No API keys yet"
      text="A key lets a script or service call the API with the permissions that you choose, and no more than your own."
    />
  )
}
