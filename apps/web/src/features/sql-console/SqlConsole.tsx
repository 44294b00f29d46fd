import type { SqlError, SqlQuery } from '@agency/contract/types'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useMemo, useRef, useState } from 'react'
import { useSearchState } from '../../lib/use-search-state.ts'
import { ErrorPanel } from '../../ui/ErrorPanel.tsx'
import { SectionBoundary } from '../../ui/SectionBoundary.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { HistoryPanel } from './HistoryPanel.tsx'
import { ParameterFields } from './ParameterFields.tsx'
import { PendingWrites } from './PendingWrites.tsx'
import { placeholdersIn } from './placeholders.ts'
import { QueryActions } from './QueryActions.tsx'
import type { EditorHandle } from './QueryEditor.tsx'
import { ResultPanel } from './ResultPanel.tsx'
import { SidePanel } from './SidePanel.tsx'
import type { SnippetAct } from './SnippetDialogs.tsx'
import css from './sql-console.module.css'
import { schemaQuery, sqlSearch } from './sql-search.ts'
import { type Asked, useQueryRun } from './use-query-run.ts'
import type { Written } from './WriteDialog.tsx'

const QueryEditor = lazy(() => import('./QueryEditor.tsx').then((m) => ({ default: m.QueryEditor })))
const HistoryDialog = lazy(() => import('./HistoryDialog.tsx').then((m) => ({ default: m.HistoryDialog })))
const SnippetDialogs = lazy(() => import('./SnippetDialogs.tsx').then((m) => ({ default: m.SnippetDialogs })))
const WriteDialog = lazy(() => import('./WriteDialog.tsx').then((m) => ({ default: m.WriteDialog })))

const noVocabulary = { views: [], functions: [] }

/** The query, what can be asked, and what came of it. */
export function SqlConsole({ canWrite }: { canWrite: boolean }) {
  const { state, set, hrefFor } = useSearchState(sqlSearch)
  const schema = useQuery(schemaQuery())
  const [text, setText] = useState(state.query)
  const [typed, setTyped] = useState<readonly (string | null)[]>([])
  const [isWriting, setWriting] = useState(false)
  const [asked, setAsked] = useState<Asked | null>(null)
  const [written, setWritten] = useState<{ query: SqlQuery; error: SqlError } | null>(null)
  const [act, setAct] = useState<SnippetAct | null>(null)
  const editor = useRef<EditorHandle>(null)
  const run = useQueryRun()
  const isBlank = text.trim() === ''
  const count = useMemo(() => placeholdersIn(text), [text])
  const parameters = Array.from({ length: count }, (_, index) => (index in typed ? (typed[index] ?? null) : ''))

  const change = (next: string) => {
    setText(next)
    if (state.query !== '') set({ query: '' })
  }
  const use = ({ query, parameters: given = [] }: { query: string; parameters?: readonly (string | null)[] }) => {
    change(query)
    setTyped(given)
    editor.current?.focus()
  }
  const execute = () => {
    if (isBlank || run.running) return
    setWritten(null)
    if (isWriting) setAsked({ query: text, parameters })
    else run.run({ query: text, parameters })
  }
  const clear = () => {
    use({ query: '' })
    setWritten(null)
    run.clear()
  }
  const handleWritten = ({ query, error }: Written) => {
    setAsked(null)
    run.clear()
    if (error) setWritten({ query, error })
  }
  const failed = written ?? run.outcome?.answer
  const isAsShown = failed?.query.query === text.trim()
  const wrongAt = isAsShown && failed?.error ? failed.error.position : null
  const lead = text.length - text.trimStart().length

  return (
    <div className={css['console']}>
      <SidePanel
        schema={schema}
        side={state.side}
        hrefOf={(side) => hrefFor({ side })}
        onInsert={(word) => editor.current?.insert(word)}
        onUse={(query) => use({ query })}
        onAct={setAct}
      />
      <div className={css['main']}>
        {canWrite ? <PendingWrites /> : null}
        <section className={css['query']} aria-label="Query" data-writing={isWriting}>
          <SectionBoundary>
            <Suspense fallback={<Skeleton height={168} />}>
              <QueryEditor
                text={text}
                vocabulary={schema.data ?? noVocabulary}
                wrongAt={wrongAt === null ? null : wrongAt + lead}
                handle={editor}
                onChange={change}
                onRun={execute}
              />
            </Suspense>
          </SectionBoundary>
          <ParameterFields values={parameters} onChange={setTyped} />
          <QueryActions
            isBlank={isBlank}
            run={run}
            isWriting={isWriting}
            onWriting={setWriting}
            onExecute={execute}
            onExplain={(analyze) => run.explain({ query: text, parameters }, analyze)}
            onSave={() => setAct({ kind: 'save', query: text })}
            onClear={clear}
          />
        </section>
        {run.error ? <ErrorPanel error={run.error}>The query did not run.</ErrorPanel> : null}
        {written ? <ErrorPanel title="Change failed. Nothing was saved.">{written.error.message}</ErrorPanel> : null}
        {run.outcome ? <ResultPanel outcome={run.outcome} /> : null}
        <HistoryPanel allHref={hrefFor({ history: 'all' })} onUse={use} />
      </div>
      <Suspense>
        {state.history === 'all' ? (
          <HistoryDialog
            onUse={(query) => {
              use(query)
              set({ history: 'latest', search: '' })
            }}
            onClose={() => set({ history: 'latest', search: '' })}
          />
        ) : null}
        {act ? <SnippetDialogs act={act} onClose={() => setAct(null)} /> : null}
        {asked ? <WriteDialog asked={asked} onWritten={handleWritten} onClose={() => setAsked(null)} /> : null}
      </Suspense>
    </div>
  )
}
