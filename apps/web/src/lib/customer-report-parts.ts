import { type ComponentType, createContext, useContext } from 'react'

/** What other features show of a customer's reports; the app puts it in, because features do not know each other. */
export type CustomerReportParts = {
  /** The reports that a customer gets by mail. */
  CustomerSchedules: ComponentType<{ customerId: string }>
}

const nothing = () => null
const Parts = createContext<CustomerReportParts>({ CustomerSchedules: nothing })

export const CustomerReportPartsProvider = Parts.Provider
export const useCustomerReportParts = (): CustomerReportParts => useContext(Parts)
