const methods: Record<string, string> = {
  card: 'Card',
  card_present: 'Card in person',
  us_bank_account: 'US bank account',
  ach_debit: 'ACH debit',
  acss_debit: 'Canadian debit',
  au_becs_debit: 'BECS debit',
  bacs_debit: 'Bacs debit',
  sepa_debit: 'SEPA debit',
  customer_balance: 'Bank transfer',
  link: 'Link',
  paypal: 'PayPal',
  klarna: 'Klarna',
  ideal: 'iDEAL',
  cashapp: 'Cash App',
  amazon_pay: 'Amazon Pay',
}

/** How it was paid, in words; a method that is not known here reads as the provider spells it. */
export function methodWords(type: string | null): string | null {
  return type === null ? null : (methods[type] ?? sentence(type))
}

export function sentence(word: string): string {
  const spaced = word.replaceAll('_', ' ')
  return spaced.charAt(0).toUpperCase() + spaced.slice(1)
}
