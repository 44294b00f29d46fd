import * as paymentLinks from '@agency/contract/descriptors/payment-links'
import type { PaymentLink } from '@agency/contract/types'
import { useCall } from '../../../lib/use-call.ts'
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx'
import { useToast } from '../../../ui/Toast.tsx'
import { linkReads } from './links-list.ts'

type Props = { link: PaymentLink; active: boolean; onClose: () => void }

export function SwitchLinkDialog({ link: { id, name, terms }, active, onClose }: Props) {
  const call = useCall(paymentLinks.switchPaymentLink, linkReads)
  const toast = useToast()
  const how = active ? 'on' : 'off'
  const handleConfirm = () =>
    call.mutate(
      { params: { id }, body: { active } },
      {
        onSuccess: ({ changed }) => {
          if (changed) toast.success(`Switched ${how} the payment link for ${name}`)
          else toast.info(`The payment link for ${name} was already ${how}`)
          onClose()
        },
      },
    )
  const what = <bdi>{name}</bdi>
  return (
    <ConfirmDialog
      title={active ? 'Switch On Payment Link' : 'Switch Off Payment Link'}
      consequences={
        active
          ? [
              <>
                Anyone with the address can pay for {what} again: {terms}.
              </>,
            ]
          : [
              <>
                Nobody can pay for {what} by this link until it is switched on again. Stripe says so to whoever opens
                it.
              </>,
              'Subscriptions that began with it continue.',
            ]
      }
      confirmLabel={active ? 'Switch on' : 'Switch off'}
      pending={call.isPending}
      error={call.error}
      onConfirm={handleConfirm}
      onClose={onClose}
    />
  )
}
