import { type ComponentType, createContext, useContext } from 'react'

/** What other features show of invoices; the app puts it in, because features do not know each other. */
export type InvoiceParts = {
  /** The dialog that makes or picks an invoice and sends it. */
  SendInvoice: ComponentType<{ customerId: string; onClose: () => void }>
  /** All invoices of a customer. */
  CustomerInvoices: ComponentType<{ customerId: string }>
}

const nothing = () => null
const Parts = createContext<InvoiceParts>({ SendInvoice: nothing, CustomerInvoices: nothing })

export const InvoicePartsProvider = Parts.Provider
export const useInvoiceParts = (): InvoiceParts => useContext(Parts)
