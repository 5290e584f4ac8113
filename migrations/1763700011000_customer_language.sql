-- Up Migration

-- In which the customer reads our pages, so that messages can be in it. Bokmål for who never said otherwise.
ALTER TABLE cases ADD COLUMN customer_language text NOT NULL DEFAULT 'nb' CHECK (customer_language IN ('nb', 'en'));
