import type { Act } from './billing-act.ts'
import { CancelSubscriptionDialog } from './CancelSubscriptionDialog.tsx'
import { RefundPaymentDialog } from './RefundPaymentDialog.tsx'
import { RefundSubscriptionDialog } from './RefundSubscriptionDialog.tsx'

export function BillingDialogs({ act, onClose }: { act: Act; onClose: () => void }) {
  switch (act.kind) {
    case 'cancel':
      return <CancelSubscriptionDialog subscription={act.subscription} onClose={onClose} />
    case 'refund':
      return <RefundPaymentDialog payment={act.payment} onClose={onClose} />
    case 'refund-subscription':
      return <RefundSubscriptionDialog subscription={act.subscription} onClose={onClose} />
  }
}
