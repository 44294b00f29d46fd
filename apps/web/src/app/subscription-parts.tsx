import { type ComponentType, lazy } from 'react'
import { type SubscriptionParts, SubscriptionPartsProvider } from '../lib/subscription-parts.ts'

const parts: SubscriptionParts = {
  NewSubscription: lazy(() =>
    import('../features/billing/new-subscription/NewSubscriptionDialog.tsx').then((module) => ({
      default: module.NewSubscriptionDialog,
    })),
  ),
}

/** The page, which may start subscriptions. */
export const withSubscriptions = (Page: ComponentType) =>
  function PageWithSubscriptions() {
    return (
      <SubscriptionPartsProvider value={parts}>
        <Page />
      </SubscriptionPartsProvider>
    )
  }
