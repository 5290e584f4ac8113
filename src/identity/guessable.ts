/** Beyond, an estimate takes long, and a password this long is not among the first that are tried. */
const MAX_LETTERS = 64;
/** Of 0 to 4: fewer than 10^8 guesses are below. */
const LEAST_SCORE = 3;

/** Loaded with the first password that is chosen: its dictionaries take 30 MB and some tenths of a second. */
const loadEstimator = async () => {
  const [{ ZxcvbnFactory }, { dictionary, adjacencyGraphs }] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
  ]);
  return new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs });
};
let estimator: ReturnType<typeof loadEstimator> | null = null;

/**
 * Whether a password is among the first that are tried: one of the lists of common passwords, a variation of one, made of
 * repetitions, sequences or rows of the keyboard, or of what is known of its owner (NIST SP 800-63B, 3.1.1.2).
 *
 * @param known what others know of the owner: an address, a company's name
 */
export async function isGuessable(password: string, known: readonly string[]): Promise<boolean> {
  estimator ??= loadEstimator();
  const words = known
    .map((text) => text.toLowerCase())
    .flatMap((text) => [text, ...text.split(/[^\p{L}\d]+/u)])
    .filter((word) => word !== '');
  return (await estimator).check(password.slice(0, MAX_LETTERS), words).score < LEAST_SCORE;
}
