import * as customers from '@agency/contract/descriptors/customers'
import * as impersonation from '@agency/contract/descriptors/impersonation'
import type { ImpersonationWay } from '@agency/contract/types'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { q } from '../../lib/api.ts'
import { fetchFailure } from '../../lib/fetch-failure.ts'
import { nameOf } from '../../lib/names.ts'
import type { ApiError } from '../../lib/problems.ts'
import { useDenial } from '../../lib/session.ts'
import { DetailsDialog } from '../../ui/DetailsDialog.tsx'
import { ErrorPanel } from '../../ui/ErrorPanel.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { InputField } from '../../ui/InputField.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { unread } from '../../ui/unread-preview.ts'
import css from './impersonation.module.css'
import { PortalLink } from './PortalLink.tsx'
import { ReasonField, reasonProblem } from './ReasonField.tsx'
import { useStart } from './use-start.ts'
import { WayField } from './WayField.tsx'

type Props = { customerId: string; onClose: () => void }

const title = 'Impersonate'

export function StartDialog({ customerId, onClose }: Props) {
  const viewDenial = useDenial(impersonation.startView)
  const portalDenial = useDenial(impersonation.openPortal)
  const details = useQuery(q(customers.getCustomer, { params: { id: customerId } }))
  const customer = details.data?.customer
  const [chosen, setChosen] = useState<ImpersonationWay>()
  const [reason, setReason] = useState('')
  const [ticket, setTicket] = useState('')
  const [notify, setNotify] = useState(false)
  const [tried, setTried] = useState(false)
  const name = customer ? nameOf(customer) : customerId
  const start = useStart(name, onClose)
  const way = chosen ?? (viewDenial && !portalDenial ? 'portal' : 'view')
  const denial = way === 'view' ? viewDenial : portalDenial
  const error = details.error as ApiError | null

  if (start.unopened) return <PortalLink name={name} url={start.unopened} onClose={onClose} />
  if (error && !customer) {
    return (
      <DetailsDialog title={title} onClose={onClose}>
        <ErrorPanel error={error} onRetry={() => void details.refetch()}>
          {fetchFailure('customer', error)}
        </ErrorPanel>
      </DetailsDialog>
    )
  }
  const handleSubmit = () => {
    setTried(true)
    if (denial || reasonProblem(reason)) return
    start.run(way, { customer_id: customerId, reason, ticket_id: ticket, notify })
  }
  return (
    <FormDialog
      title={title}
      intro={
        <p className={css['who']}>
          {customer ? (
            <>
              <strong>
                <bdi>{name}</bdi>
              </strong>
              {customer.name && customer.email ? <bdi className={css['email']}>{customer.email}</bdi> : null}
            </>
          ) : (
            <Skeleton width={220} />
          )}
        </p>
      }
      submitLabel={way === 'view' ? 'Start view' : 'Open portal'}
      pending={start.isPending}
      error={denial ? { message: denial } : start.error}
      blocked={customer ? undefined : unread('The customer', error)}
      onSubmit={handleSubmit}
      onClose={onClose}
    >
      <WayField
        value={way}
        denials={{ view: viewDenial, portal: portalDenial }}
        disabled={start.isPending}
        onChange={(next) => {
          setChosen(next)
          start.clear()
        }}
      />
      <ReasonField value={reason} isTold={tried} disabled={start.isPending} onChange={setReason} />
      <InputField
        label="Ticket ID (optional)"
        value={ticket}
        onChange={setTicket}
        disabled={start.isPending}
        inputProps={{ maxLength: 100 }}
        autoComplete="off"
      />
      <label className={css['check']} title={customer && !customer.email ? 'The customer has no email' : undefined}>
        <input
          type="checkbox"
          checked={notify}
          disabled={start.isPending || !customer?.email}
          onChange={(event) => setNotify(event.target.checked)}
        />
        Notify the customer by email (without the reason)
      </label>
      <p className={css['small']}>Recorded in the audit log and listed under User Impersonation.</p>
    </FormDialog>
  )
}
