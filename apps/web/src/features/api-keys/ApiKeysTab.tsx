import type { ApiKey } from '@agency/contract/types'
import { lazy, Suspense, useState } from 'react'
import { useListScreen } from '../../lib/list/use-list-screen.ts'
import { AddButton } from '../../ui/AddButton.tsx'
import type { Action } from '../../ui/action.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ListSearch, ListSelect } from '../../ui/list/fields.tsx'
import { ListScreen } from '../../ui/list/ListScreen.tsx'
import type { Act } from './ApiKeyDialogs.tsx'
import { apiKeyColumns } from './api-key-columns.tsx'
import { apiKeyChips, apiKeysList, statusChoices } from './api-key-search.ts'
import { rollBlock } from './api-key-words.ts'

const ApiKeyDialogs = lazy(() => import('./ApiKeyDialogs.tsx').then((m) => ({ default: m.ApiKeyDialogs })))
const ApiKeyDetails = lazy(() => import('./ApiKeyDetails.tsx').then((m) => ({ default: m.ApiKeyDetails })))

const nameOf = (key: ApiKey) => key.name
const unit = ['key', 'keys'] as const

/** The keys of the API, on whatever screen they are shown. */
export function ApiKeysTab() {
  const screen = useListScreen(apiKeysList)
  const [act, setAct] = useState<Act>()
  return (
    <>
      <ListScreen
        screen={screen}
        label="API keys"
        unit={unit}
        what="the API keys"
        denied="You may not see API keys"
        columns={apiKeyColumns}
        nameOf={nameOf}
        actionsOf={(key) => actionsOf(key, screen.hrefOf(key), setAct)}
        skeletonRows={5}
        withoutPager
        toolbar={
          <>
            <ListSearch screen={screen} label="Search name, prefix or creator" />
            <ListSelect screen={screen} field="status" label="Status" choices={statusChoices} />
            <AddButton onClick={() => setAct({ kind: 'generate' })}>Generate API Key</AddButton>
          </>
        }
        chips={apiKeyChips(screen.state)}
        empty={nothing}
        details={({ listed, onClose }) =>
          listed ? <ApiKeyDetails apiKey={listed} onAct={setAct} onClose={onClose} /> : null
        }
      />
      <Suspense>{act ? <ApiKeyDialogs act={act} onClose={() => setAct(undefined)} /> : null}</Suspense>
    </>
  )
}

const nothing = (
  <EmptyState
    title="No API keys yet"
    text="Keys let scripts and services call the API with the permissions you choose."
  />
)

function actionsOf(key: ApiKey, href: string, onAct: (act: Act) => void): readonly Action[] {
  const revoked = key.state === 'revoked' ? 'Already revoked' : undefined
  return [
    { label: 'View Details', href },
    { label: 'Rename or limit', disabledReason: revoked, onSelect: () => onAct({ kind: 'edit', key }) },
    { label: 'Rotate', disabledReason: rollBlock(key), onSelect: () => onAct({ kind: 'roll', key }), divider: true },
    {
      label: 'Revoke',
      destructive: true,
      disabledReason: revoked,
      onSelect: () => onAct({ kind: 'revoke', key }),
    },
  ]
}
