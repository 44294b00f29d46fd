import type { Mail } from '@agency/contract/types'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useCallback } from 'react'
import { formatCount } from '../../lib/format.ts'
import { usePaging } from '../../lib/use-paging.ts'
import { useSearchState } from '../../lib/use-search-state.ts'
import { Button } from '../../ui/Button.tsx'
import { DataTable } from '../../ui/data-table/DataTable.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { FilterSelect } from '../../ui/FilterField.tsx'
import { ListFailure } from '../../ui/ListFailure.tsx'
import { SectionBoundary } from '../../ui/SectionBoundary.tsx'
import { mailColumns } from './mail-columns.tsx'
import css from './settings.module.css'
import { type ConfigSearch, configSearch, mailPaging, mailsList } from './settings-search.ts'
import { mailChips } from './settings-words.ts'
import { sendBlock, useSendAgain } from './use-send-again.ts'

const MailDialog = lazy(() => import('./MailDialog.tsx').then((m) => ({ default: m.MailDialog })))

const keyOf = (mail: Mail) => mail.id
const nameOf = (mail: Mail) => `${mail.subject} to ${mail.to}`
const stateChoices = [
  { value: 'all', label: 'All' },
  ...Object.entries(mailChips).map(([value, { label }]) => ({ value, label })),
]

export function OutboxTab() {
  const { state, set, hrefFor } = useSearchState(configSearch)
  const paging = usePaging(mailPaging)
  const list = useQuery({ ...mailsList(paging.query, state), placeholderData: keepPreviousData })
  const { send, sending } = useSendAgain()
  const rows = list.data?.mails
  const waiting = list.data?.waiting ?? 0
  const hrefOf = useCallback((mail: Mail) => hrefFor({ open: mail.id }), [hrefFor])
  const clear = () => set({ state: 'all' })
  const close = () => set({ open: '' })
  const filters = state.state === 'all' ? [] : [{ label: `State: ${mailChips[state.state].label}`, onRemove: clear }]
  return (
    <>
      <ListFailure
        error={list.error}
        what="the outbox"
        at={rows ? list.dataUpdatedAt : null}
        onRetry={() => void list.refetch()}
      />
      <DataTable
        label="Outbox"
        columns={mailColumns}
        rows={rows}
        keyOf={keyOf}
        nameOf={nameOf}
        hrefOf={hrefOf}
        actionsOf={(mail) => [
          { label: 'Read', href: hrefOf(mail) },
          {
            label: 'Send again',
            disabledReason: sendBlock(mail) ?? (sending ? 'Another mail is being sent again' : undefined),
            onSelect: () => send(mail),
          },
        ]}
        fetching={list.isPlaceholderData || (list.isError && list.isFetching)}
        paging={paging.pagingFor((rows ?? []).map(keyOf), list.data?.has_more ?? false)}
        skeletonRows={8}
        toolbar={
          <>
            <FilterSelect
              label="State"
              value={state.state}
              choices={stateChoices}
              onChange={(next) => set({ state: next as ConfigSearch['state'] })}
            />
            {waiting > 0 ? (
              <span className={css['muted']}>
                {formatCount(waiting)} {waiting === 1 ? 'mail waits' : 'mails wait'} to be sent
              </span>
            ) : null}
          </>
        }
        filters={filters}
        empty={
          filters.length > 0 ? (
            <EmptyState text="No mails match your filters" action={<Button onClick={clear}>Clear filters</Button>} />
          ) : (
            <EmptyState text="The console has not written a mail yet. Invitations and password links appear here." />
          )
        }
        error={list.isError && !rows ? <EmptyState text="No mails to show." /> : undefined}
      />
      <Suspense>
        {state.open ? (
          <SectionBoundary resetKey={state.open} onRetry={close}>
            <MailDialog id={state.open} listed={rows?.find((mail) => mail.id === state.open)} onClose={close} />
          </SectionBoundary>
        ) : null}
      </Suspense>
    </>
  )
}
