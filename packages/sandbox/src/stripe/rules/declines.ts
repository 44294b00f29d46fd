type Decline = { code: string; declineCode: string; message: string; advice: string | null }

const generic = 'Your card was declined.'
const insufficient = 'Your card has insufficient funds.'

const declines: Record<string, Decline> = {
  generic_decline: {
    code: 'card_declined',
    declineCode: 'generic_decline',
    message: generic,
    advice: 'try_again_later',
  },
  insufficient_funds: {
    code: 'card_declined',
    declineCode: 'insufficient_funds',
    message: insufficient,
    advice: 'try_again_later',
  },
  lost_card: { code: 'card_declined', declineCode: 'lost_card', message: generic, advice: 'do_not_try_again' },
  do_not_honor: { code: 'card_declined', declineCode: 'do_not_honor', message: generic, advice: 'try_again_later' },
  fraudulent: { code: 'card_declined', declineCode: 'fraudulent', message: generic, advice: 'do_not_try_again' },
  expired_card: {
    code: 'expired_card',
    declineCode: 'expired_card',
    message: 'Your card has expired.',
    advice: 'do_not_try_again',
  },
  processing_error: {
    code: 'processing_error',
    declineCode: 'processing_error',
    message: 'An error occurred while processing your card. Try again in a little bit.',
    advice: 'try_again_later',
  },
}

export function declineOf(name: string): Decline {
  return declines[name] ?? { code: 'card_declined', declineCode: name, message: generic, advice: null }
}
