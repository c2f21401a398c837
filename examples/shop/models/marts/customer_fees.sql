select
    c.customer_id,
    c.region,
    sum(l.line_amount) as amount,
    -- lakeproof: allow G001 because couriers bill this customer group a fee for each line
    sum(l.shipping_fee) as courier_fees
from {{ source('shop', 'customers') }} as c
left join {{ ref('order_lines') }} as l
    on c.customer_id = l.customer_id
group by c.customer_id, c.region
