import * as invoices from '@agency/contract/descriptors/invoices'
import type { ListedInvoice } from '@agency/contract/types'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../lib/api.ts'
import { missingOf } from '../../lib/mirrored.ts'
import { useDenial } from '../../lib/session.ts'
import { Button } from '../../ui/Button.tsx'
import { DataTable } from '../../ui/data-table/DataTable.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ReasonedButton } from '../../ui/ReasonedButton.tsx'
import { SectionError } from '../../ui/SectionError.tsx'
import { invoiceColumns } from './invoice-columns.tsx'
import { invoiceName } from './invoice-words.tsx'
import css from './invoices.module.css'
import { SendInvoiceDialog } from './SendInvoiceDialog.tsx'
import { useInvoiceActs } from './use-invoice-acts.tsx'

const keyOf = (row: ListedInvoice) => row.id
const unit = ['invoice', 'invoices'] as const

export function InvoicesTab({ customerId }: { customerId: string }) {
  const readDenial = useDenial(invoices.listCustomerInvoices)
  if (readDenial) return <EmptyState title="You may not see invoices" text={readDenial} />
  return <Invoices customerId={customerId} />
}

function Invoices({ customerId }: { customerId: string }) {
  const denial = useDenial(invoices.createInvoice)
  const [isNew, setNew] = useState(false)
  const { actionsOf, dialog } = useInvoiceActs()
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = useInvoices(customerId)
  const rows = data?.pages.flatMap((page) => page.invoices)

  return (
    <>
      {error && !rows ? (
        <SectionError error={error} onRetry={() => void refetch()} />
      ) : (
        <DataTable
          label="Invoices"
          columns={invoiceColumns}
          rows={rows}
          keyOf={keyOf}
          nameOf={invoiceName}
          actionsOf={actionsOf}
          total={data?.pages[0]?.total ?? null}
          missing={missingOf(data?.pages[0])}
          unit={unit}
          skeletonRows={4}
          toolbar={
            <ReasonedButton variant="outlined" aria-haspopup="dialog" blocked={denial} onClick={() => setNew(true)}>
              Send Invoice
            </ReasonedButton>
          }
          empty={<EmptyState compact text="No invoices yet." />}
        />
      )}
      {error && rows ? <SectionError error={error} onRetry={() => void fetchNextPage()} /> : null}
      {hasNextPage && !error ? (
        <div className={css['centre']}>
          <Button variant="outlined" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            Load more
          </Button>
        </div>
      ) : null}
      {isNew ? <SendInvoiceDialog customerId={customerId} onClose={() => setNew(false)} /> : null}
      {dialog}
    </>
  )
}

function useInvoices(customerId: string) {
  const endpoint = invoices.listCustomerInvoices
  return useInfiniteQuery({
    queryKey: [endpoint.path, customerId],
    queryFn: ({ pageParam, signal }) =>
      call(endpoint, { params: { id: customerId }, query: { starting_after: pageParam } }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => (page.has_more ? page.invoices.at(-1)?.id : undefined),
    meta: { topics: endpoint.topics },
  })
}
