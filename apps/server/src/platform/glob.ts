/**
 * Whether a text fits a pattern in which `*` stands for anything and `?` for one character. It never goes back further
 * than to the last star, so that no pattern takes long.
 */
export function globMatcher(pattern: string): (text: string) => boolean {
  return (text) => {
    let at = 0
    let place = 0
    let star = -1
    let resume = 0
    while (at < text.length) {
      if (pattern[place] === '*') {
        star = place++
        resume = at
      } else if (pattern[place] === '?' || pattern[place] === text[at]) {
        place++
        at++
      } else if (star >= 0) {
        place = star + 1
        at = ++resume
      } else return false
    }
    while (pattern[place] === '*') place++
    return place === pattern.length
  }
}
