import { cardName, cardText, expiryOf, expiryState } from '../lib/cards.ts'
import css from './CardFacts.module.css'
import { StatusChip } from './StatusChip.tsx'

type Props = {
  card: { brand: string | null; last4: string | null; exp_month: number | null; exp_year: number | null }
  /** What it is called where the brand is not known. */
  otherwise?: string
  /** In a table the expiry is shown where it matters only; in full on hover. */
  short?: boolean
}

const marks = { expired: { tone: 'error', word: 'Expired' }, soon: { tone: 'warning', word: 'Expires' } } as const

/** `Visa •••• 4242`, when it expires, and a mark where that is soon or over. */
export function CardFacts({ card, otherwise, short = false }: Props) {
  const now = Date.now()
  const state = expiryState(card, now)
  const expiry = expiryOf(card)
  const mark = state === 'expired' || state === 'soon' ? marks[state] : null
  return (
    <span className={css['card']} title={cardText(card, now)}>
      <bdi>{cardName(card, otherwise)}</bdi>
      {mark ? (
        <StatusChip tone={mark.tone} label={`${mark.word} ${expiry}`} />
      ) : expiry && !short ? (
        <span className={css['expiry']}>expires {expiry}</span>
      ) : null}
    </span>
  )
}
