import { EmailLinkDialog } from './EmailLinkDialog.tsx'
import { InvoiceActDialog } from './InvoiceActDialog.tsx'
import type { InvoiceAct } from './invoice-columns.tsx'

type Props = InvoiceAct & { cancelLabel?: string; onDone: () => void; onClose: () => void }

/** The dialog of an action on an invoice. */
export function InvoiceDialog({ act, ...props }: Props) {
  return act === 'email_link' ? <EmailLinkDialog {...props} /> : <InvoiceActDialog act={act} {...props} />
}
