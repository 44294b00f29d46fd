import type * as sqlConsole from '@agency/contract/descriptors/sql-console'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ResponseOf } from '../../lib/api.ts'
import { ListFailure } from '../../ui/ListFailure.tsx'
import { SkeletonLines } from '../../ui/Skeleton.tsx'
import { SubTabLinks } from '../../ui/SubTabLinks.tsx'
import type { SnippetAct } from './SnippetDialogs.tsx'
import { SnippetList } from './SnippetList.tsx'
import css from './sql-console.module.css'
import { ViewTree } from './ViewTree.tsx'

type Side = 'views' | 'snippets'
type Schema = ResponseOf<typeof sqlConsole.getSqlSchema>

type Props = {
  schema: UseQueryResult<Schema>
  side: Side
  hrefOf: (side: Side) => string
  onInsert: (word: string) => void
  onUse: (query: string) => void
  onAct: (act: SnippetAct) => void
}

/** What a query can be made of: views with their columns, and queries that were saved. */
export function SidePanel({ schema, side, hrefOf, onInsert, onUse, onAct }: Props) {
  const { data, error, dataUpdatedAt, refetch } = schema
  const tabs = [
    { href: hrefOf('views'), label: 'Views' },
    { href: hrefOf('snippets'), label: 'Snippets' },
  ]
  return (
    <aside className={css['side']} aria-label="Views and snippets">
      <SubTabLinks label="Views and snippets" tabs={tabs} current={hrefOf(side)} />
      {side === 'snippets' ? (
        <SnippetList onUse={onUse} onAct={onAct} />
      ) : (
        <>
          <ListFailure error={error} what="the views" at={data ? dataUpdatedAt : null} onRetry={() => void refetch()} />
          {data ? (
            <ViewTree views={data.views} onInsert={onInsert} />
          ) : error ? null : (
            <SkeletonLines count={8} height={28} />
          )}
        </>
      )}
      {data?.masks_personal ? <p className={css['about']}>Personal columns are masked: needs View customers.</p> : null}
    </aside>
  )
}
