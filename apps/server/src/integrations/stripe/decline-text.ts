const told: Record<string, string> = {
  'Your card was declined.': "The customer's card was declined by the bank",
}

/** Stripe writes its refusals to the customer: here an administrator reads them. */
export const declineText = (message: string): string => told[message] ?? message.replace(/^Your /, "The customer's ")
