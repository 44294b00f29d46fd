import * as customers from '@agency/contract/descriptors/customers'
import { useInfiniteQuery } from '@tanstack/react-query'
import { call } from '../../lib/api.ts'
import { useDenial } from '../../lib/session.ts'
import { useCall } from '../../lib/use-call.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { PagedSection } from '../../ui/PagedSection.tsx'
import { NoteEditor } from './NoteEditor.tsx'
import { NoteItem, noteReads } from './NoteItem.tsx'
import notesCss from './notes.module.css'

export function NotesTab({ customerId }: { customerId: string }) {
  const denial = useDenial(customers.listCustomerNotes)
  const writeDenial = useDenial(customers.createCustomerNote)
  if (denial) return <EmptyState title="You may not see notes" text={denial} />
  return (
    <>
      {writeDenial ? null : <NewNote customerId={customerId} />}
      <NoteList customerId={customerId} />
    </>
  )
}

function NewNote({ customerId }: { customerId: string }) {
  const create = useCall(customers.createCustomerNote, noteReads)
  return (
    <NoteEditor
      label="New note"
      submitLabel="Add note"
      pending={create.isPending}
      error={create.error}
      onSave={(text, clear) => create.mutate({ params: { id: customerId }, body: { text } }, { onSuccess: clear })}
    />
  )
}

function NoteList({ customerId }: { customerId: string }) {
  const { data, error, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage, refetch } =
    useNotes(customerId)
  const notes = data?.pages.flatMap((page) => page.notes)
  return (
    <PagedSection
      count={notes?.length}
      error={error}
      skeleton={{ count: 3, height: 72 }}
      empty={<EmptyState text="No notes about this customer yet." />}
      hasMore={hasNextPage}
      isLoadingMore={isFetchingNextPage}
      onMore={() => void fetchNextPage()}
      onRetry={() => void (isFetchNextPageError ? fetchNextPage() : refetch())}
    >
      <ul className={notesCss['notes']} aria-label="Notes">
        {notes?.map((note) => (
          <NoteItem key={note.id} customerId={customerId} note={note} />
        ))}
      </ul>
    </PagedSection>
  )
}

function useNotes(customerId: string) {
  const endpoint = customers.listCustomerNotes
  return useInfiniteQuery({
    queryKey: [endpoint.path, customerId],
    queryFn: ({ pageParam, signal }) =>
      call(endpoint, { params: { id: customerId }, query: { starting_after: pageParam } }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => (page.has_more ? page.notes.at(-1)?.id : undefined),
    meta: { topics: endpoint.topics },
  })
}
