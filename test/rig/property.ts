import fc from 'fast-check';

/**
 * fast-check with the same runs each time: no build fails by chance. `TROVE_TEST_SEED=random` looks further, and a number
 * repeats what it found.
 */
const { TROVE_TEST_SEED: seed = '20261123' } = process.env;
if (seed !== 'random') fc.configureGlobal({ seed: Number(seed) });

export { default } from 'fast-check';
