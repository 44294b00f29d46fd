import * as caches from '@agency/contract/descriptors/caches'
import type { CacheCleared } from '@agency/contract/types'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { useListScreen } from '../../lib/list/use-list-screen.ts'
import { paths } from '../../lib/paths.ts'
import { useCall } from '../../lib/use-call.ts'
import { useNow } from '../../lib/use-now.ts'
import { usePoll } from '../../lib/use-poll.ts'
import { Age } from '../../ui/Age.tsx'
import { Button } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { FilterText } from '../../ui/FilterField.tsx'
import { ListSelect } from '../../ui/list/fields.tsx'
import { ListScreen } from '../../ui/list/ListScreen.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { ToolScreenTabs } from '../../ui/ToolScreenTabs.tsx'
import { CacheHistory } from './CacheHistory.tsx'
import { CacheStats } from './CacheStats.tsx'
import type { Chosen } from './ClearDialog.tsx'
import { cacheColumns, cacheName } from './cache-columns.tsx'
import { cacheLabels, cacheNames, keysText, rebuildTexts, silentText } from './cache-words.ts'
import css from './caches.module.css'
import { cacheReads, cachesList } from './caches-list.ts'

const ClearDialog = lazy(() => import('./ClearDialog.tsx').then((module) => ({ default: module.ClearDialog })))

const pollMs = 30_000
const choices = [{ value: 'all', label: 'All' }, ...cacheNames.map((value) => ({ value, label: cacheLabels[value] }))]

/** `purge`: what purges the cache of Cloudflare, which stands on the same screen. */
export function CachePage({ purge }: { purge: ReactNode }) {
  const screen = useListScreen(cachesList)
  const { state, answer, denial } = screen
  const [chosen, setChosen] = useState<Chosen>()
  const [cleared, setCleared] = useState<CacheCleared>()
  // Not in the address: a press right after typing must know it, and the address learns of it a moment later.
  const [pattern, setPattern] = useState('')
  const [problem, setProblem] = useState<string>()
  const refresh = useCall(caches.refreshCaches, cacheReads)
  const now = useNow()
  usePoll(() => void screen.query.refetch(), denial ? null : pollMs)
  const name = state.cache === 'all' ? undefined : state.cache
  const handlePattern = () => {
    setProblem(pattern === '' ? 'Enter a pattern first, such as /api/stripe/*' : undefined)
    if (pattern !== '') setChosen({ ...(name && { name }), pattern })
  }
  if (denial)
    return (
      <>
        <PageHeader title="Admin Tools" />
        <ToolScreenTabs current={paths.cache} />
        <EmptyState title="You may not see caches" text={denial} />
      </>
    )
  return (
    <>
      <PageHeader
        title="Admin Tools"
        summary={
          <>
            What the console keeps ready
            {answer?.as_of ? ' · measured ' : ''}
            <Age at={answer?.as_of ?? null} lifetimeMs={120_000} />
          </>
        }
        actions={
          <>
            <Button
              variant="outlined"
              loading={refresh.isPending}
              onClick={() =>
                refresh.mutate(
                  {},
                  {
                    success: (toast, { silent }) =>
                      silent.length > 0 ? toast.error(silentText(silent)) : toast.success('Stats refreshed'),
                    failure: 'The stats were not refreshed',
                  },
                )
              }
            >
              Refresh Stats
            </Button>
            <Button variant="contained" color="error" aria-haspopup="dialog" onClick={() => setChosen({})}>
              Clear All Cache
            </Button>
          </>
        }
      />
      <ToolScreenTabs current={paths.cache} />
      <div className={css['page']}>
        {cleared ? <Outcome cleared={cleared} /> : null}
        <CacheStats overview={answer} hasFailed={screen.error !== null} />
        <div>
          <ListScreen
            screen={screen}
            label="Caches"
            many="caches"
            columns={cacheColumns}
            nameOf={cacheName}
            skeletonRows={4}
            withoutPager
            toolbar={
              <>
                <ListSelect screen={screen} field="cache" label="Cache" choices={choices} />
                <FilterText
                  label="Pattern"
                  value={pattern}
                  onChange={(typed) => {
                    setProblem(undefined)
                    setPattern(typed)
                  }}
                />
                <Button variant="outlined" aria-haspopup="dialog" onClick={handlePattern}>
                  Clear by Pattern
                </Button>
                {problem === undefined ? null : (
                  <p role="alert" className={css['notice']} data-tone="warning">
                    {problem}
                  </p>
                )}
              </>
            }
            empty="No cache measured yet."
          />
        </div>
        {answer ? <CacheHistory overview={answer} cache={state.cache} now={now} /> : null}
        {purge}
      </div>
      <Suspense>
        {chosen ? <ClearDialog chosen={chosen} onCleared={setCleared} onClose={() => setChosen(undefined)} /> : null}
      </Suspense>
    </>
  )
}

/** What went, and what must be read again for it. */
function Outcome({ cleared: { cleared, caches: each, silent } }: { cleared: CacheCleared }) {
  const processes = new Set(each.flatMap(({ process }) => process?.id ?? [])).size
  return (
    <div role="status" className={css['notice']} data-tone={silent.length > 0 ? 'warning' : 'success'}>
      Cleared {keysText(cleared)} in {processes === 1 ? 'one process' : `${processes} processes`}.
      <ul>
        {rebuildTexts(each).map((text) => (
          <li key={text}>{text}</li>
        ))}
        {silent.length > 0 ? <li>{silentText(silent)}</li> : null}
      </ul>
    </div>
  )
}
