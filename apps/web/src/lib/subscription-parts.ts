import { type ComponentType, createContext, useContext } from 'react'

/** What other features show of subscriptions; the app puts it in, because features do not know each other. */
export type SubscriptionParts = {
  /** The dialog that starts a subscription of a customer. */
  NewSubscription: ComponentType<{ customerId: string; onClose: () => void }>
}

const Parts = createContext<SubscriptionParts>({ NewSubscription: () => null })

export const SubscriptionPartsProvider = Parts.Provider
export const useSubscriptionParts = (): SubscriptionParts => useContext(Parts)
