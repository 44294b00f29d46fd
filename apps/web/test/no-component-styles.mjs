// The components' rules are kept out of the document: jsdom tries each of them for every element whose visibility is asked for,
// which is up to a third of a test's time, and without a layout they decide nothing that a test sees.
const insert = document.head.insertBefore.bind(document.head)
document.head.insertBefore = (node, before) => (node.dataset?.emotion === undefined ? insert(node, before) : node)
