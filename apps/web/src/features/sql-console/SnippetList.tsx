import type { SqlSnippet } from '@agency/contract/types'
import { useQuery } from '@tanstack/react-query'
import { ListFailure } from '../../ui/ListFailure.tsx'
import { MoreMenu } from '../../ui/MoreMenu.tsx'
import { SkeletonLines } from '../../ui/Skeleton.tsx'
import type { SnippetAct } from './SnippetDialogs.tsx'
import css from './sql-console.module.css'
import { snippetsQuery } from './sql-search.ts'

type Props = { onUse: (query: string) => void; onAct: (act: SnippetAct) => void }

/** Saved queries: one's own, and those that others share. */
export function SnippetList({ onUse, onAct }: Props) {
  const { data, error, dataUpdatedAt, refetch } = useQuery(snippetsQuery())
  return (
    <>
      <ListFailure error={error} what="the snippets" at={data ? dataUpdatedAt : null} onRetry={() => void refetch()} />
      {data === undefined && !error ? <SkeletonLines count={4} /> : null}
      {data?.snippets.length === 0 ? (
        <p className={css['about']}>No snippets yet. Write a query, then press Save.</p>
      ) : null}
      <ul className={css['snippets']} aria-label="Snippets">
        {data?.snippets.map((snippet) => (
          <li key={snippet.id}>
            <button type="button" className={css['word']} title={snippet.query} onClick={() => onUse(snippet.query)}>
              <bdi>{snippet.name}</bdi>
              <span className={css['type']}>{ownership(snippet)}</span>
            </button>
            {snippet.is_mine ? (
              <MoreMenu
                small
                label={`Actions for ${snippet.name}`}
                actions={[
                  { label: 'Edit', onSelect: () => onAct({ kind: 'edit', snippet }) },
                  { label: 'Delete', destructive: true, onSelect: () => onAct({ kind: 'delete', snippet }) },
                ]}
              />
            ) : null}
          </li>
        ))}
      </ul>
    </>
  )
}

const ownership = ({ is_mine, is_shared, owner }: SqlSnippet): string =>
  is_mine ? (is_shared ? 'shared' : '') : `by ${owner}`
