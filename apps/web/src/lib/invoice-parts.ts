import { type ComponentType, createContext, useContext } from 'react'

/** On the open invoice of a failed payment or of a subscription that is behind. */
export type OpenInvoiceAct = {
  act: 'pay' | 'mark_paid' | 'copy_link' | 'email_link'
  customerId: string
  subscriptionId?: string
  paymentId?: string
}

/** What other features show of invoices; the app puts it in, because features do not know each other. */
export type InvoiceParts = {
  /** The dialog that makes or picks an invoice and sends it. */
  SendInvoice: ComponentType<{ customerId: string; onClose: () => void }>
  /** An action on an open invoice; asks which one where there are several. */
  ActOnOpenInvoice: ComponentType<OpenInvoiceAct & { onClose: () => void }>
  /** All invoices of a customer. */
  CustomerInvoices: ComponentType<{ customerId: string }>
  /** Failed payments that can still be collected, and what they are about. */
  Dunning: ComponentType<{ onSettled: (failed: boolean) => void }>
  DunningFigures: ComponentType<{ isReady: boolean }>
}

const nothing = () => null
const Parts = createContext<InvoiceParts>({
  SendInvoice: nothing,
  ActOnOpenInvoice: nothing,
  CustomerInvoices: nothing,
  Dunning: nothing,
  DunningFigures: nothing,
})

export const InvoicePartsProvider = Parts.Provider
export const useInvoiceParts = (): InvoiceParts => useContext(Parts)
