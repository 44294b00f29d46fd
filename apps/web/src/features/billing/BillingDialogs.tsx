import { useInvoiceParts } from '../../lib/invoice-parts.ts'
import type { Act } from './billing-act.ts'
import { CancelSubscriptionDialog } from './CancelSubscriptionDialog.tsx'
import { ChangePlanDialog } from './ChangePlanDialog.tsx'
import { PauseSubscriptionDialog } from './PauseSubscriptionDialog.tsx'
import { RefundPaymentDialog } from './RefundPaymentDialog.tsx'
import { RefundSubscriptionDialog } from './RefundSubscriptionDialog.tsx'
import { ResumeSubscriptionDialog } from './ResumeSubscriptionDialog.tsx'
import { UndoCancellationDialog } from './UndoCancellationDialog.tsx'

export function BillingDialogs({ act, onClose }: { act: Act; onClose: () => void }) {
  const { ActOnOpenInvoice, SendInvoice } = useInvoiceParts()
  switch (act.kind) {
    case 'send-invoice':
      return <SendInvoice customerId={act.subscription.customer_id} onClose={onClose} />
    case 'open-invoice':
      return <ActOnOpenInvoice {...act} onClose={onClose} />
    case 'cancel':
      return <CancelSubscriptionDialog subscription={act.subscription} onClose={onClose} />
    case 'undo-cancel':
      return <UndoCancellationDialog subscription={act.subscription} onClose={onClose} />
    case 'pause':
      return <PauseSubscriptionDialog subscription={act.subscription} onClose={onClose} />
    case 'resume':
      return <ResumeSubscriptionDialog subscription={act.subscription} onClose={onClose} />
    case 'change-plan':
      return <ChangePlanDialog subscription={act.subscription} onClose={onClose} />
    case 'refund':
      return <RefundPaymentDialog payment={act.payment} onClose={onClose} />
    case 'refund-subscription':
      return <RefundSubscriptionDialog subscription={act.subscription} onClose={onClose} />
  }
}
