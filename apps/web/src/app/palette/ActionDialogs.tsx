import * as billing from '@agency/contract/descriptors/billing'
import type { Subscription } from '@agency/contract/types'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { RoleDialogs } from '../../features/admin-users/RoleDialogs.tsx'
import { UserDialogs } from '../../features/admin-users/UserDialogs.tsx'
import { ApiKeyDialogs } from '../../features/api-keys/ApiKeyDialogs.tsx'
import { CancelSubscriptionDialog } from '../../features/billing/CancelSubscriptionDialog.tsx'
import { RefundPaymentDialog } from '../../features/billing/RefundPaymentDialog.tsx'
import { cancelBlock, refundBlock } from '../../features/billing/row-actions.ts'
import { CustomerDialogs } from '../../features/customers/CustomerDialogs.tsx'
import { q } from '../../lib/api.ts'
import { paths } from '../../lib/paths.ts'
import { ApiError } from '../../lib/problems.ts'
import { useToast } from '../../ui/Toast.tsx'
import type { ActionDialog } from './tools.ts'

type Props = { dialog: ActionDialog; onNavigate: (path: string) => void; onClose: () => void }

/** The dialogs of other screens that an action opens on top of whatever is shown. */
export function ActionDialogs({ dialog, onNavigate, onClose }: Props) {
  if (typeof dialog === 'object')
    return 'refund' in dialog ? (
      <Refund id={dialog.refund} onClose={onClose} />
    ) : (
      <Cancel id={dialog.cancel} onClose={onClose} />
    )
  switch (dialog) {
    case 'add-customer':
      return (
        <CustomerDialogs
          act={{ kind: 'add' }}
          onAdded={(id) => {
            onClose()
            onNavigate(paths.customer(id))
          }}
          onClose={onClose}
        />
      )
    case 'add-role':
      return <RoleDialogs act={{ kind: 'add' }} onClose={onClose} />
    case 'add-user':
      return <UserDialogs act={{ kind: 'add' }} onClose={onClose} />
    case 'generate-key':
      return <ApiKeyDialogs act={{ kind: 'generate' }} onClose={onClose} />
  }
}

type MoneyProps = { id: string; onClose: () => void }

function Refund({ id, onClose }: MoneyProps) {
  const { data, error } = useQuery(q(billing.getPayment, { params: { id } }))
  const block = data && refundBlock(data.payment)
  useRefusal('The payment cannot be refunded.', block, error, onClose)
  return data && !block ? <RefundPaymentDialog payment={data.payment} onClose={onClose} /> : null
}

function Cancel({ id, onClose }: MoneyProps) {
  const { data, error } = useQuery(q(billing.getSubscription, { params: { id } }))
  // The details hold all that a row does.
  const subscription = data?.subscription as Subscription | undefined
  const block = subscription && cancelBlock(subscription)
  useRefusal('The subscription cannot be cancelled.', block, error, onClose)
  return subscription && !block ? <CancelSubscriptionDialog subscription={subscription} onClose={onClose} /> : null
}

/** Says why no dialog opens. */
function useRefusal(text: string, block: string | undefined, error: Error | null, onClose: () => void): void {
  const toast = useToast()
  useEffect(() => {
    if (!block && !error) return
    toast.error(block ? `${text} ${block}.` : text, error instanceof ApiError ? error : undefined)
    onClose()
  }, [block, error, text, toast, onClose])
}
